import { describe, expect, it } from 'vitest';
import {
  architectureLevel,
  architectures,
  architectureTable,
  exampleLevels,
  isEnforced,
  parseArchitectureLevel,
} from '../src/architectures.ts';

describe('levels of the factor architecture', () => {
  it.each(architectures)('are read as they are written: %s', (architecture) => {
    const level = architectureLevel({ architecture, routers: 12 });
    const count = architectureTable[architecture].count ? { count: 12 } : {};
    expect(parseArchitectureLevel(level)).toEqual({ architecture, ...count });
    expect(parseArchitectureLevel(architecture)).toEqual({ architecture });
  });

  it('are no other text, nor a count where there is none to state', () => {
    const texts = [
      '',
      'sidecars',
      'sidecar-3',
      'none-1',
      'dynamic-router-',
      'dynamic-router-0',
      'dynamic-router-2x',
      'constructor',
    ];
    expect(texts.filter((text) => parseArchitectureLevel(text))).toEqual([]);
  });

  it('are enforced but for the one without a role, also those unknown to this version', () => {
    expect([...exampleLevels(2), 'mesh', undefined].filter((level) => !isEnforced(level))).toEqual(['none']);
  });
});
