/** The server of the page, on loopback: the page, saving on demand, and measurements of single cells. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import type { Setting } from '@topo-bench/workbench';
import type { DecideRequest, ProveRequest, SaveRequest } from '../browser/server-api.ts';
import type { Start } from '../browser/start.ts';
import { addProof, type Calibrator } from './calibrator.ts';
import { decideSystem } from './decide-system.ts';
import { newToken, pathAfter, refusalOf } from './guard.ts';
import { failureOf, Jobs } from './jobs.ts';
import { type PageScripts, pageDocument } from './page-document.ts';
import { proveCell } from './prove.ts';
import { type OpenedFiles, saveFiles } from './topology-files.ts';

export interface WorkshopOptions {
  files: OpenedFiles;
  start: Omit<Start, 'texts' | 'file' | 'isShipped'>;
  scripts: PageScripts;
  /** What measures. */
  setting: Setting;
  calibrator: Calibrator;
  /** 0: a free one. */
  port: number;
}

export interface WorkshopServer {
  /** Address with the token. */
  url: string;
  /** Cancels a measurement, and ends all connections. */
  close(): Promise<void>;
}

const maxBodyBytes = 4 << 20;

/** @throws TopoBenchError `TB_USAGE` where the port is taken */
export async function startWorkshop({
  files,
  start: given,
  scripts,
  setting,
  calibrator,
  port,
}: WorkshopOptions): Promise<WorkshopServer> {
  const token = newToken();
  // A page that is loaded again has the newest calibration.
  const start = { ...given };
  const jobs = new Jobs();
  const proved: string[] = [];
  const document = () => {
    const { name: file, texts, isShipped } = files;
    return pageDocument({ ...start, file, texts, isShipped }, scripts);
  };
  const { policy } = document();
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    respond(request, response, own).catch((error: unknown) => fail(response, error));
  });
  const respond = async (request: IncomingMessage, response: ServerResponse, own: number): Promise<void> => {
    for (const [name, value] of Object.entries(headers(policy))) response.setHeader(name, value);
    const refusal = refusalOf(request, own);
    if (refusal !== undefined) return end(response, 403, `refused: ${refusal}\n`);
    const path = pathAfter(token, request.url);
    const route = `${request.method} ${path}`;
    if (route === 'GET /') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(document().html);
    } else if (route === 'GET /alive') {
      // Open until the server ends: the page then knows.
      response.setHeader('content-type', 'text/plain');
      response.flushHeaders();
    } else if (route === 'POST /save') {
      answerJson(response, 200, await saveFiles(files, (await bodyOf(request)) as SaveRequest));
    } else if (route === 'POST /prove') {
      const asked = (await bodyOf(request)) as ProveRequest;
      await jobs.run(response, async (following) => {
        const cell = await proveCell(files, asked, setting, following);
        following.emit({ kind: 'measured', cell });
        const calibration = await addProof(start.calibration, [...proved, cell.folder], calibrator, following);
        if (calibration === start.calibration) return;
        // One that cannot be added does not keep later ones out.
        proved.push(cell.folder);
        Object.assign(start, { calibration, remarks: [] });
      });
    } else if (route === 'POST /decide') {
      const asked = (await bodyOf(request)) as DecideRequest;
      const { calibration, version } = start;
      const folder = defaultRunFolder('workshop-decision', new Date());
      await jobs.run(response, async (following) => {
        const decided = await decideSystem(asked, { folder, calibration, version }, following);
        following.emit({ kind: 'decided', decided });
      });
    } else if (route === 'POST /calibrate') {
      await bodyOf(request);
      await jobs.run(response, async (following) => {
        const { calibration, file } = await calibrator.measure(following);
        Object.assign(start, { calibration, remarks: [] });
        following.emit({ kind: 'calibrated', calibration, file });
      });
    } else {
      end(response, 404, 'nothing is here: the address of the workshop has a token, which its command line printed\n');
    }
  };
  await listen(server, port);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}/${token}/`,
    async close() {
      await jobs.cancel();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function headers(policy: string): Record<string, string> {
  return {
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new TopoBenchError('TB_USAGE', `the request has more than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new TopoBenchError('TB_USAGE', 'the request is no JSON', { cause });
  }
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.end();
  answerJson(response, error instanceof TopoBenchError ? 409 : 500, failureOf(error));
}

function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response.setHeader('content-type', 'application/json');
  end(response, status, JSON.stringify(value));
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new TopoBenchError('TB_USAGE', `cannot listen on port ${port}: ${systemErrorText(error)}`, {
          hint: 'name another one with --port, or leave it out for a free one',
        }),
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}
