/** A few requests at a time through a gateway: enough for every role to have worked and grown. */
import http from 'node:http';

const body = JSON.stringify({
  class: 'order',
  origin: 'eu',
  categories: ['personal'],
  consents: [],
  purpose: 'contract',
  payload: { email: 'a@example.org', note: 'x'.repeat(500) },
  fieldCategories: { email: 'personal' },
});

/** One request through every hop. @throws Error when the answer is not 200 */
export async function firstRequest(gatewayUrl: string): Promise<void> {
  await load(gatewayUrl, 1, 1);
}

/** @throws Error when an answer is not 200 */
export async function load(gatewayUrl: string, requests: number, atOnce: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  let left = requests;
  const client = async (): Promise<void> => {
    while (left-- > 0) await post(`${gatewayUrl}/requests`, agent);
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  agent.destroy();
}

function post(url: string, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`the gateway answered ${response.statusCode}`));
        response.resume().on('end', resolve);
      },
    );
    request.on('error', reject).end(body);
  });
}
