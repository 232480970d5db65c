/**
 * All requests of a class that differ in what rules can read, apart from the text of payload fields: origin and
 * consents, each combination with its share. Payloads are drawn.
 */
import type { GatewayRequest } from '@topo-bench/core';
import type { RequestClass } from '@topo-bench/core/schema/topology';
import { payloadText } from './payload-text.ts';
import { classTemplate, requestGenerator } from './requests.ts';
import { streams } from './streams.ts';

export interface SharedRequest {
  request: GatewayRequest;
  /** Share of the requests of its class, 0…1. */
  share: number;
}

/** Requests are drawn where a class has more combinations. */
const maxCombinations = 4096;

export interface ClassRequests {
  /** Shares add up to 1. */
  requests: SharedRequest[];
  /** Whether every combination of origin and consents is there, with its exact share. */
  complete: boolean;
}

/** @param payloads of each combination; more than one where rules read payloads */
export function classRequests(requestClass: RequestClass, seed: number, payloads: number): ClassRequests {
  const template = classTemplate(requestClass);
  const uncertain = template.consents.filter(([, probability]) => probability > 0 && probability < 1);
  const total = template.origins.reduce((sum, [, weight]) => sum + weight, 0);
  if (template.origins.length * 2 ** uncertain.length > maxCombinations) {
    const draw = requestGenerator({ classes: [requestClass], seed, repetition: 1 });
    const requests = Array.from({ length: maxCombinations }, (_, i) => ({
      request: draw(i),
      share: 1 / maxCombinations,
    }));
    return { requests, complete: false };
  }
  const text = payloadText(seed, Math.max(0, ...template.fields.map(([, bytes]) => bytes)));
  const requests: SharedRequest[] = [];
  for (const [origin, weight] of template.origins) {
    for (let given = 0; given < 2 ** uncertain.length; given++) {
      const isGiven = (consent: string): boolean => {
        const at = uncertain.findIndex(([name]) => name === consent);
        return at < 0 || (given >> at) % 2 === 1;
      };
      const consents = template.consents.filter(([name, probability]) => probability > 0 && isGiven(name));
      const chances = uncertain.map(([name, probability]) => (isGiven(name) ? probability : 1 - probability));
      const share = chances.reduce((product, chance) => product * chance, weight / total) / payloads;
      for (let i = 0; i < payloads; i++) {
        const random = streams.request(seed, 1, requests.length);
        const request: GatewayRequest = {
          class: template.name,
          origin,
          categories: [...template.categories],
          consents: consents.map(([name]) => name),
          purpose: template.purpose,
          payload: Object.fromEntries(template.fields.map(([field, bytes]) => [field, text(random, bytes)])),
          fieldCategories: { ...template.fieldCategories },
        };
        requests.push({ request, share });
      }
    }
  }
  return { requests, complete: true };
}
