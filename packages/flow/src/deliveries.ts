/** Copies that services have received in a flow. Equal copies, the usual case, are stored once. */
import type { DeliveredDigests } from '@topo-bench/core';

export interface DeliveryState {
  /** In flow order, two numbers each: service index, index of `copies`. */
  services: number[];
  copies: DeliveredDigests[];
}

/** Records that a service has received a copy with these digests. */
export function noteDelivery({ services, copies }: DeliveryState, service: number, digests: DeliveredDigests): void {
  const known = copies.findIndex((copy) => isSame(copy, digests));
  services.push(service, known < 0 ? copies.push(digests) - 1 : known);
}

/** Adds the deliveries of a branch since the fork. */
export function mergeDeliveries(into: DeliveryState, branch: DeliveryState, shared: number): void {
  for (let i = shared; i < branch.services.length; i += 2) {
    noteDelivery(
      into,
      branch.services[i] as number,
      branch.copies[branch.services[i + 1] as number] as DeliveredDigests,
    );
  }
}

export function copyOfDeliveries({ services, copies }: DeliveryState): DeliveryState {
  return { services: [...services], copies: [...copies] };
}

function isSame(a: DeliveredDigests, b: DeliveredDigests): boolean {
  const fields = Object.keys(a);
  return (
    fields.length === Object.keys(b).length && fields.every((field) => Object.hasOwn(b, field) && a[field] === b[field])
  );
}
