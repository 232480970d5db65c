/** What privileges add to a measurement. Ordinary ones suffice for valid repetitions. */

/** Without real-time priority of the load generator. */
export const withoutRealTimePriority =
  'on a busy host some requests leave late, and their repetitions are measured again';

/** Without cores that are kept awake. */
export const withSleepingCores =
  'waking an idle core is part of every time: about 0.1 ms, on a busy virtual machine some ms';

/** Without priority of the gateway. */
export const withoutGatewayPriority = 'on a busy host requests wait for the gateway before they are timed';
