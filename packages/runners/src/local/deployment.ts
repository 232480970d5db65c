/** A deployment of child processes: asked through their control routes, watched for deaths, ended in order. */
import type { RoleStats, Span, TopoBenchError } from '@topo-bench/core';
import { readProcessUsage, readStartedUsage } from '@topo-bench/host';
import type { ControlClient, ControlTarget } from '../control-client.ts';
import { inParallel } from '../in-parallel.ts';
import type { DeployedRole, Deployment, RoleUsage } from '../runner.ts';
import type { RoleProcess } from './role-process.ts';

const stopGraceMs = 3000;
const askedAtOnce = 16;

export class LocalDeployment implements Deployment {
  readonly gatewayUrl: string;
  readonly roles: readonly DeployedRole[];
  private readonly listeners: ((error: TopoBenchError, role: DeployedRole) => void)[] = [];

  constructor(
    private readonly processes: readonly RoleProcess[],
    private readonly targets: readonly (DeployedRole & ControlTarget)[],
    private readonly client: ControlClient,
    readonly gatewayPriority: boolean,
  ) {
    this.roles = targets.map(({ controlToken: _, controlUrl: _url, ...role }) => role);
    this.gatewayUrl = this.roles.find(({ kind }) => kind === 'gateway')?.url ?? '';
    for (const process of processes) {
      process.onDeath = (error) => {
        for (const listener of this.listeners) listener(error, this.roleOf(process));
      };
    }
  }

  async usage(): Promise<RoleUsage[]> {
    return this.processes.map(({ config: { name, kind, userService }, pid }) => {
      const process = readProcessUsage(pid);
      const started = userService?.kind === 'command' ? readStartedUsage(pid) : undefined;
      return { name, kind, userService: userService !== undefined, ...(process && { process }), ...(started && { started }) };
    });
  }

  stats(): Promise<RoleStats[]> {
    return this.askAll<RoleStats>('GET', '/control/stats');
  }

  async reset(): Promise<void> {
    await this.askAll('POST', '/control/reset');
  }

  async spans(): Promise<Span[]> {
    return (await this.askAll<Span[]>('GET', '/control/spans')).flat();
  }

  onDeath(callback: (error: TopoBenchError, role: DeployedRole) => void): void {
    this.listeners.push(callback);
    for (const process of this.processes) if (process.death) callback(process.death, this.roleOf(process));
  }

  async stop(): Promise<void> {
    this.client.close();
    await stopAll(this.processes);
  }

  private askAll<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer[]> {
    const asked = inParallel(this.targets, askedAtOnce, (target) => this.client.ask<Answer>(target, method, path));
    // That a role ended says more than that it does not answer.
    return asked.catch((error) => {
      throw this.processes.find(({ death }) => death)?.death ?? error;
    });
  }

  private roleOf({ config }: RoleProcess): DeployedRole {
    return this.roles.find(({ name }) => name === config.name) as DeployedRole;
  }
}

/** Ends all of them, whatever state they are in; resolves when none is left. */
export async function stopAll(processes: readonly RoleProcess[]): Promise<void> {
  await Promise.all(processes.map((process) => process.stop(stopGraceMs)));
}
