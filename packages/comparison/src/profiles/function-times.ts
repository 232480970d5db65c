/**
 * Self times of a program by function, from its CPU profile. Samples count elapsed time, also while other programs have
 * the processor. They are scaled to the CPU time of the thread where that is known. Code of Node.js and V8 counts for
 * the function of the program that called it, apart from the own time of that function.
 */
import type { CpuProfile, CpuProfileNode, ProgramProfile } from '@topo-bench/core';

/** `native`: code of Node.js and V8, called by the function; `garbage` and `outside` belong to none. */
export type TimeKind = 'own' | 'native' | 'garbage' | 'outside';

export interface FunctionTime {
  kind: TimeKind;
  /** Empty for an anonymous function, and for garbage and outside. */
  name: string;
  /** Relative to the working directory of the program, or to the folder of packages. */
  file: string;
  /** Absolute; empty for garbage and outside. */
  path: string;
  /** First line of the function, from 1; 0 for garbage and outside. */
  line: number;
  /** The file as both sides name it: relative to the script of the program, which can have another name there. */
  fileOfBoth: string;
  us: number;
}

type Place = Omit<FunctionTime, 'us'>;
type Program = Pick<ProgramProfile, 'folder' | 'script' | 'isRole'>;

/** One entry for each function. Time without work is left out. */
export function functionTimes({ profile, cpuUs, ...program }: ProgramProfile): FunctionTime[] {
  const times = new Map<string, FunctionTime>();
  const places = placesOf(profile, program);
  profile.samples.forEach((id, at) => {
    const place = places.get(id);
    if (!place) return;
    const { kind, name, fileOfBoth, line } = place;
    const key = [kind, name, fileOfBoth, line].join('\n');
    const time = times.get(key) ?? { ...place, us: 0 };
    // A sample stands for the time until the next one.
    time.us += profile.timeDeltas[at + 1] ?? 0;
    times.set(key, time);
  });
  const all = [...times.values()];
  const elapsedUs = all.reduce((sum, { us }) => sum + us, 0);
  const scale = cpuUs === undefined ? 1 : Math.min(1, cpuUs / elapsedUs);
  return all.map((time) => ({ ...time, us: scale * time.us }));
}

/** By the id of a node; without those that wait. */
function placesOf(profile: CpuProfile, program: Program): Map<number, Place> {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const found = new Map<number, Place>();
  const visit = (node: CpuProfileNode, caller: Place | undefined): void => {
    const { functionName } = node.callFrame;
    const own = ownPlace(node, program);
    const place = own ?? withoutPlace(functionName, caller);
    if (place) found.set(node.id, place);
    for (const child of node.children ?? []) visit(byId.get(child) as CpuProfileNode, own ?? caller);
  };
  const called = new Set(profile.nodes.flatMap(({ children = [] }) => children));
  for (const node of profile.nodes) if (!called.has(node.id)) visit(node, undefined);
  return found;
}

const waiting: ReadonlySet<string> = new Set(['(idle)', '(root)']);
const nowhere = { name: '', file: '', path: '', line: 0, fileOfBoth: '(none)' };

function withoutPlace(functionName: string, caller: Place | undefined): Place | undefined {
  if (waiting.has(functionName)) return undefined;
  if (functionName === '(garbage collector)') return { kind: 'garbage', ...nowhere };
  return caller ? { ...caller, kind: 'native' } : { kind: 'outside', ...nowhere };
}

/** Undefined for code that is not of the program. */
function ownPlace(
  { callFrame: { functionName: name, url, lineNumber } }: CpuProfileNode,
  { folder, script, isRole }: Program,
): Place | undefined {
  const path = url.startsWith('file://') ? decodeURIComponent(url.slice('file://'.length)) : url;
  if (!path.startsWith('/')) return undefined;
  const place = { kind: 'own' as const, name, path, line: lineNumber + 1 };
  if (isRole) {
    const file = `topo-bench/${path.slice(path.lastIndexOf('/') + 1)}`;
    return { ...place, file, fileOfBoth: file };
  }
  const packages = path.lastIndexOf('/node_modules/');
  if (packages >= 0) {
    const file = path.slice(packages + 1);
    return { ...place, file, fileOfBoth: file };
  }
  const scriptFolder = script.slice(0, Math.max(0, script.lastIndexOf('/')));
  return {
    ...place,
    file: relative(folder, path),
    fileOfBoth: path === script ? '(script)' : relative(scriptFolder || folder, path),
  };
}

/** @param from absolute path of a folder */
function relative(from: string, path: string): string {
  const [there, here] = [path.split('/'), from.split('/')];
  let common = 0;
  while (common < here.length && here[common] === there[common]) common++;
  return [...here.slice(common).map(() => '..'), ...there.slice(common)].join('/');
}
