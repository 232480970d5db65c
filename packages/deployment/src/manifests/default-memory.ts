/**
 * Limit of the memory of a container in generated files, where the topology has none. It ends a program that leaks
 * before it takes the machine. A role needs a fiftieth of it, and Node.js sizes its heap as on a machine with so much.
 * Deployments that are measured have no such limit: one that a load reaches would change the figures.
 */
export const defaultMemoryBytes = 4 * 1024 ** 3;
