/** Who serves and who calls: our sides, those of pyarrow, each with the other, and plain TCP. */
import type { Job, Taking } from './job.ts';
import { type Peer, startOurClient, startOurServer, startPyarrow } from './peers/peer.ts';
import { type Sides, type Transfer, transfer } from './transfer.ts';

export interface Cell {
  verb: 'DoGet' | 'DoPut';
  streams: number;
  rows: number;
}

export interface Pairing {
  name: string;
  /** The limit: what Node.js moves without any protocol. */
  isPlainTcp?: true;
  /** The verb in which it does something of its own; undefined for both. */
  onlyVerb?: Cell['verb'];
  run(cell: Cell, messages: number): Promise<Transfer>;
}

/** Below this, to take batch by batch would time Python: all sides keep what came and count it at the end. */
const smallRows = 4096;

export class Pairings {
  private constructor(
    /** The first is the reference, where pyarrow is there. */
    private readonly all: readonly Pairing[],
    private readonly peers: readonly Peer[],
  ) {}

  static async start({ hasPyarrow }: { hasPyarrow: boolean }): Promise<Pairings> {
    // In own processes: the garbage of transfers that own their batches may be collected in the next transfer.
    const [owning, borrowing] = [await startOurs(), await startOurs()];
    const own = [
      pairing('ours', owning.sides, owning.location, 'owned'),
      pairing('ours, batches borrowed', borrowing.sides, borrowing.location, 'borrowed'),
      plainTcp(borrowing.sides, borrowing.tcp),
    ];
    const ours = [owning, borrowing].flatMap(({ server, client }) => [server, client]);
    if (!hasPyarrow) return new Pairings(own, ours);
    const [server, client] = [startPyarrow('server'), startPyarrow('client')];
    const { location } = await server.read<{ location: string }>();
    const all = [
      pairing('C++ pair (pyarrow)', { client, servers: [server] }, location, 'owned'),
      pairing('pyarrow client, our server', { client, servers: [owning.server] }, owning.location, 'owned'),
      pairing(
        'pyarrow client, our server, batches borrowed',
        { client, servers: [borrowing.server] },
        borrowing.location,
        'borrowed',
        'DoPut',
      ),
      pairing('our client, pyarrow server', { client: owning.client, servers: [server] }, location, 'owned'),
      pairing(
        'our client, pyarrow server, batches borrowed',
        { client: borrowing.client, servers: [server] },
        location,
        'borrowed',
        'DoGet',
      ),
      ...own,
    ];
    return new Pairings(all, [...ours, server, client]);
  }

  /** Only our own receivers can borrow. */
  for(verb: Cell['verb']): Pairing[] {
    return this.all.filter(({ onlyVerb }) => onlyVerb === undefined || onlyVerb === verb);
  }

  async stop(): Promise<void> {
    await Promise.all(this.peers.map((peer) => peer.stop()));
  }
}

async function startOurs(): Promise<{ server: Peer; client: Peer; sides: Sides; location: string; tcp: string }> {
  const [server, client] = [startOurServer(), startOurClient()];
  const { location, tcp } = await server.read<{ location: string; tcp: string }>();
  return { server, client, sides: { client, servers: [server] }, location, tcp };
}

function pairing(name: string, sides: Sides, location: string, taking: Taking, onlyVerb?: Cell['verb']): Pairing {
  return {
    name,
    ...(onlyVerb && { onlyVerb }),
    run: (cell, messages) =>
      transfer(sides, { ...cell, messages, locations: [location], taking: takingOf(cell, taking) }),
  };
}

function takingOf({ rows }: Cell, taking: Taking): Taking {
  return taking === 'owned' && rows < smallRows ? 'kept' : taking;
}

function plainTcp(sides: Sides, location: string): Pairing {
  const verbs: Record<Cell['verb'], Job['verb']> = { DoGet: 'tcp-get', DoPut: 'tcp-put' };
  return {
    name: 'plain TCP of Node.js',
    isPlainTcp: true,
    run: (cell, messages) =>
      transfer(sides, { ...cell, verb: verbs[cell.verb], messages, locations: [location], taking: 'borrowed' }),
  };
}
