/** Schema of `run.json`: the resolved inputs, the machines and the state of a run. */
import { z } from 'zod';
import { composedSchema, joinedStudies, optionalFields } from '../study-parts.ts';
import { factorLevels, us } from './figures.ts';

export const resultSchemaVersion = 1;

export const hostEnvironment = z.strictObject({
  node: z.string(),
  platform: z.string(),
  arch: z.string(),
  cpuModel: z.string(),
  cores: z.int(),
  memoryBytes: z.number(),
  kernel: z.string(),
  hostname: z.string().meta({ description: 'Hash of the host name: distinguishes machines without naming them.' }),
});
export type HostEnvironment = z.output<typeof hostEnvironment>;

/** Version of the process that runs topo-bench. */
const environment = z.strictObject({ topoBench: z.string(), ...hostEnvironment.shape });

export const host = z.strictObject({
  id: z.string().meta({ description: 'Distinguishes the hosts of a run.' }),
  ...hostEnvironment.shape,
});
export type Host = z.output<typeof host>;

/** Searches of the max sustained rate, one per combination of the other levels. */
export const rateSearch = z
  .strictObject({
    condition: z.strictObject({
      text: z.string().meta({ description: 'As given, e.g. `p95<50ms`.' }),
      of: z.enum(['responseTime', 'rtt']),
      statistic: z.enum(['q1Us', 'medianUs', 'q3Us', 'p95Us', 'p99Us', 'p999Us', 'maxUs', 'meanUs']),
      boundUs: z.number(),
    }),
    precision: z.number().meta({ description: 'The bisection ends at two rates whose ratio is at most 1 plus this.' }),
    probes: z
      .array(
        z.strictObject({
          factors: factorLevels,
          valueUs: us,
          met: z.boolean(),
          reasons: z.array(z.string()).meta({ description: 'Why the load was not valid, if it was not.' }),
        }),
      )
      .meta({ description: 'One load each, in the order measured. They choose the rates and are in no other figure.' }),
    unreachable: z
      .array(z.strictObject({ factors: factorLevels, linksUs: z.number() }))
      .optional()
      .meta({
        description:
          'Lines that meet the condition at no rate: their lowest rate did not, and the links alone of a request that every rule allows take longer than the bound.',
      }),
    outOfTime: z.literal(true).optional().meta({ description: 'The time limit ended the search or its confirmation.' }),
  })
  .meta({ id: 'rateSearch', description: 'Search of the max rate that meets a condition.' });
export type RateSearch = z.output<typeof rateSearch>;

export const simulation = z
  .strictObject({
    calibration: z.string().meta({ description: 'Name of the calibration.' }),
    sha256: z.string().meta({ description: 'Digest of the calibration file.' }),
    machine: z
      .string()
      .meta({ description: 'The calibrated machine, in words. The figures stand for it, or for `cluster`.' }),
    cores: z.int().min(1).meta({ description: 'Of the calibrated machine.' }),
    assumed: z.boolean().meta({ description: 'The calibration was not fitted to a measurement.' }),
    cluster: z
      .strictObject({
        name: z.string(),
        sha256: z.string().meta({ description: 'Digest of the cluster file.' }),
        hosts: z.array(z.strictObject({ name: z.string(), cores: z.int(), speed: z.number() })),
      })
      .optional()
      .meta({ description: 'Machines that took the place of the calibrated one.' }),
  })
  .meta({ id: 'simulation', description: 'What the figures of a simulated run stand for.' });
export type SimulationRecord = z.output<typeof simulation>;

/** Fields of the runs of all kinds; a description names the kinds that have joined. */
function commonFields(kinds: readonly string[]) {
  return z.strictObject({
    schemaVersion: z.int(),
    name: z.string(),
    status: z.enum(['running', 'finished', 'interrupted', 'failed']),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().optional(),
    command: z.array(z.string()),
    study: z
      .string()
      .optional()
      .meta({
        description: `Kind of study${kinds.length > 0 ? `: ${kinds.map((kind) => `\`${kind}\``).join(', ')}` : ''}; absent in older results.`,
      }),
    experiment: z.unknown().meta({ description: 'The resolved experiment.' }),
    topology: z
      .unknown()
      .meta({ description: 'The resolved topology, with services and rules expanded by reference.' }),
    inputs: z
      .unknown()
      .optional()
      .meta({ description: 'The input files and the choices of the command line, from which a run is resumed.' }),
    seed: z.int(),
    environment,
    simulation: simulation.optional().meta({
      description: 'Of a simulated run; `environment` is then the machine that computed it. Absent in measured runs.',
    }),
    hosts: z.array(host).optional().meta({
      description: 'Machines that services ran on, with their own Node.js; absent before the first deployment.',
    }),
    plannedCells: z.array(factorLevels),
    repetitions: z.int(),
    storeServers: z
      .array(
        z.strictObject({
          engine: z.string(),
          file: z.string().optional().meta({ description: 'Host and port that the topology names.' }),
          address: z
            .string()
            .optional()
            .meta({ description: 'Host and port; absent for a server that topo-bench starts.' }),
          image: z
            .string()
            .optional()
            .meta({ description: 'Container image that the file names; unused with an address.' }),
          source: z.string().optional().meta({ description: 'Flag, variable or field that names it.' }),
        }),
      )
      .optional()
      .meta({ description: 'Servers of the stores; a resumed run must use the same.' }),
    notices: z
      .array(z.string())
      .optional()
      .meta({ description: 'Parts of the topology that the runner did not apply; absent without any.' }),
    failure: z.string().optional(),
    search: rateSearch.optional().meta({
      description: 'Of `run --find-max`; the planned cells are the rates that it confirms. Absent otherwise.',
    }),
    extendedFrom: z.array(z.int().min(1)).min(1).optional().meta({
      description: 'Numbers of repetitions that the run had before `run --resume --repetitions` added others.',
    }),
    sideBySide: z
      .strictObject({ id: z.string(), side: z.enum(['baseline', 'candidate']), ref: z.string() })
      .optional()
      .meta({
        description:
          'One side of a gate whose sides took turns: repetitions of the run with the same id belong to those of this one.',
      }),
  });
}
export type RunRecord = z.output<ReturnType<typeof commonFields>>;

/** The schema of `run.json`, with the records of inputs of all kinds of study that have joined. */
export const runRecord = composedSchema((): z.ZodType<RunRecord> => {
  const studies = joinedStudies();
  return commonFields(studies.map(({ kind }) => kind))
    .extend(optionalFields(studies.flatMap(({ input }) => (input ? [[input.name, input.record]] : []))))
    .meta({ title: 'topo-bench run', description: 'run.json of a run folder.' });
});
