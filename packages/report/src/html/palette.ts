/** A colour per level, the same in every chart: an architecture keeps its colour from report to report. Colours never speak alone. */
import type { Factor, Level } from '../model/factors.ts';

/** Class of the level's colour, defined in the style sheet. */
export function colourClass(factor: Factor | undefined, level: Level): string {
  if (factor?.name === 'architecture') {
    if (level === 'none') return 'k-none';
    if (level === 'central-entity') return 'k-central';
    if (level === 'sidecar') return 'k-sidecar';
    const routers = factor.levels.filter((one) => String(one).startsWith('dynamic-router'));
    if (routers.includes(level)) return `k-router-${routers.indexOf(level) % 3}`;
  }
  return `k-${Math.max(0, factor?.levels.indexOf(level) ?? 0) % 6}`;
}

/** The CSS variable behind that class, for drawings that carry colours as attributes. */
export function colourVariable(factor: Factor | undefined, level: Level): string {
  const name = colourClass(factor, level).slice('k-'.length);
  return /^\d/.test(name) ? `--k${name}` : `--${name}`;
}
