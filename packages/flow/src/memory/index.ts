/** A deployment in memory and in virtual time, by the machines of the real roles. */
export { Calendar } from './calendar.ts';
export {
  type ConfirmRules,
  ControlSide,
  type TimedRuleChange,
} from './control-side.ts';
export {
  type MemoryAnswer,
  type MemoryDeployment,
  type MemoryOptions,
  memoryDeployment,
} from './memory-deployment.ts';
export { type MemoryFault, MessageFaultsInMemory } from './memory-faults.ts';
