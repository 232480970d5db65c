/** The database servers on which a run can keep its stores: one line of `doctor` per protocol. */
import { type StoreChoice, surveyStores } from '@topo-bench/stores/servers/survey';
import type { MachineCheck } from '@topo-bench/study-kit/machine-check';

export async function storeChecks(): Promise<MachineCheck[]> {
  return (await surveyStores()).map(checkOf);
}

function checkOf({ engine, keeps: effect, found, problem, variable, installation, image }: StoreChoice): MachineCheck {
  if (found === undefined) {
    return {
      name: engine,
      status: 'optional',
      found: 'not found',
      effect,
      remedy:
        image === undefined
          ? `${installation}, or set ${variable}`
          : `${installation}, set ${variable}, or write \`image: ${image}\` under \`persistence\``,
    };
  }
  if (problem === undefined) return { name: engine, status: 'ok', found, effect };
  const remedy = `correct ${variable} or start that server; without the variable a run looks on this machine`;
  return { name: engine, status: 'limited', found, effect: problem, remedy };
}
