/**
 * Heat maps in Redis: a hash of crossings and a sorted set of event times, with the cells as their fields. One script
 * runs as a whole, so that rows and checkpoint are written together.
 */

/**
 * KEYS: crossings, times, checkpoints, owners. ARGV: partition, position, state and owner of a checkpoint (empty
 * without one), then cell, crossings and event time of each row.
 * @returns 0 when the owner is no longer that of the partition
 */
export const addScript = `
if ARGV[4] ~= '' and redis.call('HGET', KEYS[4], ARGV[1]) ~= ARGV[4] then return 0 end
for i = 5, #ARGV, 3 do
  redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
  redis.call('ZADD', KEYS[2], 'GT', ARGV[i + 2], ARGV[i])
end
if ARGV[1] ~= '' then redis.call('HSET', KEYS[3], ARGV[1], ARGV[2] .. ' ' .. ARGV[3]) end
return 1
`;

/** KEYS: checkpoints, owners. ARGV: partition. @returns the new owner and the checkpoint */
export const claimScript = `
return { redis.call('HINCRBY', KEYS[2], ARGV[1], 1), redis.call('HGET', KEYS[1], ARGV[1]) }
`;
