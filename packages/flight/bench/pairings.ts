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
    const [ourServer, ourClient] = [startOurServer(), startOurClient()];
    const { location, tcp } = await ourServer.read<{ location: string; tcp: string }>();
    const ours: Sides = { client: ourClient, servers: [ourServer] };
    const own = [
      pairing('ours', ours, location, 'owned'),
      pairing('ours, batches borrowed', ours, location, 'borrowed'),
      plainTcp(ours, tcp),
    ];
    if (!hasPyarrow) return new Pairings(own, [ourServer, ourClient]);
    const [theirServer, theirClient] = [startPyarrow('server'), startPyarrow('client')];
    const { location: theirs } = await theirServer.read<{ location: string }>();
    const theirsToOurs: Sides = { client: theirClient, servers: [ourServer] };
    const oursToTheirs: Sides = { client: ourClient, servers: [theirServer] };
    const all = [
      pairing('C++ pair (pyarrow)', { client: theirClient, servers: [theirServer] }, theirs, 'owned'),
      pairing('pyarrow client, our server', theirsToOurs, location, 'owned'),
      pairing('pyarrow client, our server, batches borrowed', theirsToOurs, location, 'borrowed', 'DoPut'),
      pairing('our client, pyarrow server', oursToTheirs, theirs, 'owned'),
      pairing('our client, pyarrow server, batches borrowed', oursToTheirs, theirs, 'borrowed', 'DoGet'),
      ...own,
    ];
    return new Pairings(all, [ourServer, ourClient, theirServer, theirClient]);
  }

  /** Only receivers of ours can borrow. */
  for(verb: Cell['verb']): Pairing[] {
    return this.all.filter(({ onlyVerb }) => onlyVerb === undefined || onlyVerb === verb);
  }

  async stop(): Promise<void> {
    await Promise.all(this.peers.map((peer) => peer.stop()));
  }
}

function pairing(name: string, sides: Sides, location: string, taking: Taking, onlyVerb?: Cell['verb']): Pairing {
  return {
    name,
    ...(onlyVerb && { onlyVerb }),
    run: (cell, messages) => transfer(sides, { ...cell, messages, locations: [location], taking: takingOf(cell, taking) }),
  };
}

function takingOf({ rows }: Cell, taking: Taking): Taking {
  return taking === 'owned' && rows < smallRows ? 'kept' : taking;
}

function plainTcp(sides: Sides, location: string): Pairing {
  const verbs: Record<Cell['verb'], Job['verb']> = { DoGet: 'tcp-get', DoPut: 'tcp-put' };
  return {
    name: 'plain TCP of Node.js',
    run: (cell, messages) =>
      transfer(sides, { ...cell, verb: verbs[cell.verb], messages, locations: [location], taking: 'borrowed' }),
  };
}
