/** The deployment of a repetition in `cells.json`: its cost, its history, and what its network enforced. */
import { z } from 'zod';

/** Whether the network itself stopped requests past the enforcement points, at the start of a deployment. */
export const networkPolicyFigures = z
  .strictObject({
    probed: z.int().min(1).meta({
      description:
        'Services behind an enforcement point. The gateway sent each a request past that point, without a token.',
    }),
    refusedByService: z.int().min(0).meta({
      description: 'Let through by the network and refused by the service, in the last round of probes.',
    }),
    blockedByNetwork: z.int().min(0).meta({ description: 'Without an answer in the last round of probes.' }),
    openMs: z.number().optional().meta({
      description:
        'From ready pods until a round of probes in which the network blocked all of them: at most so long the network alone would have let such requests through. Absent where it still let one through after `probedMs`.',
    }),
    probedMs: z.number().meta({ description: 'From ready pods until the end of the last round of probes.' }),
  })
  .meta({
    id: 'networkPolicyFigures',
    description:
      'Network policies are a second wall: the token check of each service refuses these requests in any case.',
  });
export type NetworkPolicyFigures = z.output<typeof networkPolicyFigures>;

/** Cost and history of the deployment of a repetition. */
export const deploymentHistory = z
  .strictObject({
    rank: z.int().min(1).meta({
      description:
        '1: measured first on its deployment; 2: second, and so on. Measurements that another one replaced count too.',
    }),
    warmUp: z
      .strictObject({
        durationUs: z.number(),
        finalRps: z.number().meta({ description: 'Requests answered per second, over its last window.' }),
      })
      .optional()
      .meta({ description: 'The warm-up before its first measurement; absent where there was none.' }),
    readyMs: z.number().optional().meta({
      description:
        'From the call of the runner until every role had answered its health check and received its peers. Networks and namespaces are created within it; images are built or loaded before. Equal for all cells measured on one deployment.',
    }),
    stopMs: z.number().optional().meta({
      description:
        'From the call that stops the deployment until all of it was gone. Absent where several deployments stopped together, and where the run ended within the teardown.',
    }),
    memoryBytes: z.number().optional().meta({
      description:
        'Proportional set size of all roles just after the measurement, read by each role itself: private pages, and a share of the pages that processes have in common. Processes of container engines are no part of it. Absent next to user-supplied services, and where the system does not report it.',
    }),
    openServices: z
      .array(z.strictObject({ service: z.string(), takes: z.enum(['without a token', 'with a wrong token']) }))
      .optional()
      .meta({
        description:
          'User-supplied services that answered such a call past enforcement with 2xx, at the start of the deployment. Absent without one.',
      }),
    networkPolicies: networkPolicyFigures.optional().meta({
      description: 'Absent where no network policies were created, or no service is behind an enforcement point.',
    }),
  })
  .meta({ id: 'deploymentHistory', description: 'Cost of the deployment, and its history when the repetition began.' });
export type DeploymentHistory = z.output<typeof deploymentHistory>;
