/** A session: everything that the address contains. */
import type { Price } from '@topo-bench/report';
import type { State } from '../predict/predicted-cell.ts';
import { type Settings, settingLimit } from '../predict/settings.ts';
import { inflated } from './inflated.ts';
import { isProof, type Proof } from './proofs.ts';
import type { Start } from './start.ts';

export interface Variant {
  /** A, B or C. */
  name: string;
  topology: string;
  rules?: string;
  settings: Settings;
  cells: { architecture: string; state: State; medianUs?: number; p95Us?: number; bottleneck: string }[];
}

export interface Session {
  topology: string;
  rules?: string;
  settings: Settings;
  /** The one whose enforcement points are drawn. */
  architecture: string;
  price: Price;
  variants: Variant[];
  notes: string;
  proofs: Proof[];
}

export function newSession({ texts, calibration }: Start): Session {
  return {
    ...{ topology: texts.topology, architecture: 'sidecar', variants: [], notes: '', proofs: [] },
    ...(texts.rules !== undefined && { rules: texts.rules }),
    settings: { rate: 50, cores: calibration.cores, machines: 'node' },
    price: { perCoreHour: 0.04, currency: 'EUR' },
  };
}

const prefix = '#w1.';

/** The session as a fragment: JSON, deflated, in base64url. */
export async function fragmentOf(session: Session): Promise<string> {
  const stream = new Blob([JSON.stringify(session)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return prefix + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined for a fragment that has no session, and for one that is damaged. */
export async function sessionOf(fragment: string, fresh: Session): Promise<Session | undefined> {
  if (!fragment.startsWith(prefix)) return undefined;
  try {
    const text = fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/');
    return checked(JSON.parse(await inflated(text)), fresh);
  } catch {
    return undefined;
  }
}

/** A link may come from anywhere: every field has the type that the page expects, or that of a fresh session. */
export function checked(given: unknown, fresh: Session): Session | undefined {
  const { topology, rules, settings, architecture, price, variants, notes, proofs } = (given ?? {}) as Partial<Session>;
  const chosen = checkedSettings(settings);
  if (typeof topology !== 'string' || !chosen) return undefined;
  return {
    topology,
    ...(typeof rules === 'string' && { rules }),
    settings: chosen,
    architecture: typeof architecture === 'string' ? architecture : fresh.architecture,
    price: isPositive(price?.perCoreHour)
      ? { perCoreHour: price.perCoreHour, currency: String(price.currency) }
      : fresh.price,
    variants: Array.isArray(variants) ? variants.flatMap(checkedVariant).slice(0, 3) : [],
    notes: typeof notes === 'string' ? notes : '',
    proofs: Array.isArray(proofs) ? proofs.filter(isProof) : [],
  };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function checkedSettings(given: unknown): Settings | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { rate, cores, machines } = given as Partial<Settings>;
  if (![rate, cores].every((value) => isPositive(value) && value <= settingLimit(''))) return undefined;
  const numbers = Object.entries(given).filter(([name, value]) => {
    return typeof value === 'number' && Number.isFinite(value) && value <= settingLimit(name);
  });
  return { ...(Object.fromEntries(numbers) as unknown as Settings), machines: machines === 'one' ? 'one' : 'node' };
}

function checkedVariant(given: Variant | undefined): Variant[] {
  const settings = checkedSettings(given?.settings);
  const isKnown =
    typeof given?.name === 'string' &&
    typeof given.topology === 'string' &&
    ['string', 'undefined'].includes(typeof given.rules) &&
    Array.isArray(given.cells) &&
    given.cells.every((cell) => typeof cell?.architecture === 'string' && typeof cell.bottleneck === 'string');
  return settings && isKnown ? [{ ...given, settings }] : [];
}
