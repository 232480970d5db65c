/**
 * Atomic operations as Lua scripts. An item is one JSON string. Sorted sets by time of creation list all items, those
 * of a customer, and those of a status. Members of equal score are in byte order, so the sets have the order of the
 * port. Counters per status provide the aggregate.
 */

/** ARGV of all: the prefix of the keys. */
const parts = `
local prefix = ARGV[1]
local function keyOf(id) return prefix .. ':item:' .. id end
local function setsOf(item)
  return { prefix .. ':all', prefix .. ':customer:' .. item.customer, prefix .. ':status:' .. item.status }
end
local function count(item, by)
  redis.call('HINCRBY', prefix .. ':items', item.status, by)
  -- In Lua -1 * 0 is "-0", which Redis refuses; what the script did before would stay.
  if item.totalCents ~= 0 then redis.call('HINCRBY', prefix .. ':cents', item.status, by * item.totalCents) end
end
local function forget(id, text)
  local item = cjson.decode(text)
  for _, set in ipairs(setsOf(item)) do redis.call('ZREM', set, id) end
  count(item, -1)
end
local function keep(id, text, time)
  local item = cjson.decode(text)
  redis.call('SET', keyOf(id), text)
  for _, set in ipairs(setsOf(item)) do redis.call('ZADD', set, time, id) end
  count(item, 1)
end
`;

/** ARGV: prefix, id, JSON, time in ms. Returns 0 when the id exists. */
export const createScript = `${parts}
if redis.call('EXISTS', keyOf(ARGV[2])) == 1 then return 0 end
keep(ARGV[2], ARGV[3], ARGV[4])
return 1
`;

/** ARGV: prefix, id, JSON, time in ms. Returns 1 for a new item. */
export const putScript = `${parts}
local before = redis.call('GET', keyOf(ARGV[2]))
if before then forget(ARGV[2], before) end
keep(ARGV[2], ARGV[3], ARGV[4])
return before and 0 or 1
`;

/** ARGV: prefix, id. Returns 0 when the item does not exist. */
export const deleteScript = `${parts}
local before = redis.call('GET', keyOf(ARGV[2]))
if not before then return 0 end
forget(ARGV[2], before)
redis.call('DEL', keyOf(ARGV[2]))
return 1
`;

/**
 * ARGV: prefix, key of the set, earliest time, limit, then customer, status, article, time and id of the last position
 * (each empty when not queried). Returns JSON texts.
 */
export const queryScript = `${parts}
local set, from, limit = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local customer, status, sku, afterTime, afterId = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local function asked(text)
  if customer == '' and status == '' and sku == '' then return true end
  local item = cjson.decode(text)
  if customer ~= '' and item.customer ~= customer then return false end
  if status ~= '' and item.status ~= status then return false end
  if sku == '' then return true end
  for _, line in ipairs(item.lines) do if line.sku == sku then return true end end
  return false
end
local found, offset, batch = {}, 0, 200
if afterTime ~= '' and tonumber(afterTime) > from then from = tonumber(afterTime) end
while #found < limit do
  local ids = redis.call('ZRANGEBYSCORE', set, string.format('%.0f', from), '+inf', 'WITHSCORES', 'LIMIT', offset, batch)
  if #ids == 0 then break end
  for i = 1, #ids, 2 do
    local isAfter = afterTime == '' or tonumber(ids[i + 1]) > tonumber(afterTime) or ids[i] > afterId
    if isAfter then
      local text = redis.call('GET', keyOf(ids[i]))
      if text and asked(text) then
        found[#found + 1] = text
        if #found == limit then break end
      end
    end
  end
  offset = offset + batch
end
return found
`;
