/** A deployment in memory and in virtual time, by the machines of the real roles. */
export {
  type MemoryAnswer,
  type MemoryDeployment,
  type MemoryOptions,
  memoryDeployment,
  type TimedRuleChange,
} from './memory-deployment.ts';
export { type MemoryFault, MessageFaultsInMemory } from './memory-faults.ts';
