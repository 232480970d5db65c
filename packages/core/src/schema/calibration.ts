/**
 * The calibration file: what a simulation knows of a machine. It states the demand for processors in µs. A turn of a
 * process takes
 *
 *     (wake + Σ operations + sleep) · z · (1 + cold · (1 − e^(−gap/τ − others/τo))) · (1 + warmth · e^(−served/τw))
 *       + work + pause
 *
 * with the wake-up of a process that slept, its going to sleep when no other message waits, z lognormal of mean 1, the
 * gap since its last turn, the processor time that other processes had per core in that gap, and the requests that it
 * has served.
 */
import { z } from 'zod';
import { calibrationFit } from './calibration-fit.ts';
import { name } from './quantities.ts';
import { engines } from './topology.ts';

const us = z.number().min(0).max(1e9);
const probability = z.number().min(0).max(1);
const factor = z.number().min(0).max(1000);

const operation = z
  .strictObject({
    us,
    perKilobyteUs: us.default(0).meta({ description: 'For each 1000 bytes of the payload in the message.' }),
  })
  .meta({ id: 'operation', description: 'Processor time of an operation, µs.' });

const pause = z
  .strictObject({ probability, meanUs: us })
  .meta({ id: 'pause', description: 'Probability of a pause for a turn, and its mean, µs.' });

const decision = z.strictObject({
  us,
  perRuleUs: us.default(0).meta({ description: 'For each rule that the enforcement point has.' }),
});

const operations = z.strictObject({
  accept: operation.meta({ description: 'The gateway parses a request of a client.' }),
  respond: operation.meta({ description: 'The gateway answers a client.' }),
  receive: operation.meta({ description: 'A role parses a message of another role.' }),
  acknowledge: operation.meta({ description: 'A role acknowledges a flow or a report.' }),
  send: operation.meta({ description: 'A role serialises and sends a message.' }),
  read: operation.meta({ description: 'A role reads an acknowledgement or an answer.' }),
  answer: operation.meta({ description: 'A service answers a call, or in nested style a role a flow.' }),
  post: operation.meta({ description: 'A generator sends a request.' }),
  collect: operation.meta({ description: 'A generator reads an answer.' }),
});

const demand = z.strictObject({
  operations,
  decide: z
    .record(z.enum(engines), decision)
    .meta({ description: 'A decision, by rule engine. Its outcome does not depend on the engine.' }),
  wake: z
    .strictObject({
      us,
      idleCoreUs: us,
      sleepUs: us.default(0).meta({
        description: 'Processor time after a turn at whose begin no other message waits: the process goes to sleep.',
      }),
    })
    .meta({ description: 'Processor time of a process that wakes up, and delay of a core that was idle.' }),
  noise: z
    .strictObject({ sigma: z.number().min(0).max(3) })
    .meta({ description: 'σ of the logarithm of the factor z; 0: no noise.' }),
  cold: z
    .strictObject({
      factor,
      overUs: us.refine((value) => value > 0, 'expected more than 0'),
      overWorkUs: us
        .refine((value) => value > 0, 'expected more than 0')
        .default(1e9)
        .meta({ description: 'The same for the work of others per core in that time. By default it does not matter.' }),
    })
    .meta({ description: 'A process that was idle for much longer than `overUs` takes 1 + `factor` times as long.' }),
  warmth: z
    .strictObject({ factor, requests: z.number().positive() })
    .meta({ description: 'Compilers: a process that has served nothing takes 1 + `factor` times as long.' }),
  pauses: z
    .strictObject({
      collections: pause.meta({ description: 'Exponential lengths.' }),
      stops: pause.meta({ description: 'Uniform lengths between half and three halves of the mean.' }),
    })
    .meta({ description: 'Pauses of a whole process.' }),
  helpers: z
    .strictObject({ share: z.number().min(0).max(10), meanUs: us.refine((value) => value > 0, 'expected more than 0') })
    .meta({
      description: 'Other threads of a process: processor time per time of its event loop, in jobs of that mean.',
    }),
  latencyUs: us.meta({ description: 'Time of a message between two processes, without links of the topology.' }),
  timerLateUs: us.meta({ description: 'Timers are late by up to this time.' }),
  scheduling: z
    .strictObject({
      stay: probability.meta({
        description: 'Probability that a process that wakes up stays on the core of its waker.',
      }),
      pull: probability.meta({ description: 'Probability that a core without work takes a process from another one.' }),
      sliceUs: us.meta({
        description: 'A process with more messages continues for at most this time while others wait.',
      }),
    })
    .meta({ description: 'How the system places runnable processes on cores. Each core has a queue.' }),
});

export const calibrationFile = z
  .strictObject({
    $schema: z.string().optional(),
    apiVersion: z.literal('topo-bench/v1'),
    kind: z.literal('Calibration'),
    name,
    machine: z.string().min(1).meta({ description: 'The machine that it describes, in words: model and Node.js.' }),
    cores: z.int().min(1).max(4096).meta({ description: 'Cores that all processes share.' }),
    assumed: z
      .boolean()
      .default(false)
      .meta({ description: 'The figures are assumptions: no measurement was fitted.' }),
    demand: demand.meta({ description: 'Demand for processors on this machine.' }),
    fit: calibrationFit
      .optional()
      .meta({ description: 'Of `topo-bench calibrate`; absent in a file written by hand.' }),
  })
  .meta({ title: 'topo-bench calibration', description: 'What a simulation knows of a machine. Times are µs.' });

export type { CalibrationFit, CellFigures, FitErrors, FittedCell } from './calibration-fit.ts';
export type Calibration = z.output<typeof calibrationFile>;
export type DemandModel = Calibration['demand'];
