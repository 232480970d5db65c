/**
 * Changes of pure code that tests of the same package must notice. Each is a wrong result that a reader could take for
 * a right one. A change is [what it breaks, exact text, its replacement]; the text occurs once in its file.
 */
export const mutations = [
  {
    file: 'packages/flow/src/exposure.ts',
    tests: ['packages/flow/test/exposure.test.ts'],
    changes: [
      [
        'a copy is covered when it shares one pointer',
        'copy.every((pointer) => lacking.includes(pointer))',
        'copy.some((pointer) => lacking.includes(pointer))',
      ],
      ['a complete copy does not replace the others', 'if (lacking.length === 0) placed[node] = [[]];', 'if (false) ;'],
      [
        'exposure below a withheld pointer counts twice',
        'return [...new Set(pointers)].filter(',
        'return pointers; [...new Set(pointers)].filter(',
      ],
      [
        'a copy that lacks the value itself covers it',
        '!lacking.some((other) => pointer === other || pointer',
        '!lacking.some((other) => pointer',
      ],
    ],
  },
  {
    file: 'packages/flow/src/merge-branches.ts',
    tests: ['packages/flow/test/merge-branches.test.ts'],
    changes: [
      [
        'a refusal outranks an error',
        "verdicts.find(({ kind }) => kind === 'error') ??\n    verdicts.find(({ kind }) => kind === 'refused')",
        "verdicts.find(({ kind }) => kind === 'refused') ??\n    verdicts.find(({ kind }) => kind === 'error')",
      ],
    ],
  },
  {
    file: 'packages/flow/src/flow-run.ts',
    tests: ['packages/flow/test/flow-run.test.ts'],
    changes: [
      [
        'pseudonyms of the first target are lost at the alternative',
        'new Set([...own.pseudonymise, ...detour.pseudonymise])',
        'new Set([...own.pseudonymise])',
      ],
      [
        'removals of the first target are lost at the alternative',
        'new Set([...own.remove, ...detour.remove])',
        'new Set([...own.remove])',
      ],
      ['a second reroute is followed', "decision.effect === 'reroute' && detour ? 'deny'", "false ? 'deny'"],
      ['a late decision counts', 'if (nowUs - this.askedUs > role.deadlines.hopUs)', 'if (false)'],
      ['a step passes when its time is over', 'if (role.failOpen) return this.pass();', 'return this.pass();'],
      ['refused data is not exposed', "this.expose(service, 'everything');", ''],
    ],
  },
  {
    file: 'packages/flow/src/flow-run.ts',
    tests: ['packages/flow/test/memory/rules-of-flows.test.ts'],
    changes: [
      ['a step without rules passes', 'return this.isDeciding && this.role.failOpen ?', 'return this.isDeciding ?'],
    ],
  },
  {
    file: 'packages/flow/src/machine/rule-versions.ts',
    tests: ['test/soak.test.ts'],
    changes: [
      [
        'a point keeps its old rules',
        '      this.inForce = version;\n      if (!this.isVersioned)',
        '      if (!this.isVersioned)',
      ],
      [
        'a point confirms before it has the rules',
        "else this.perform({ kind: 'prepare-rules', change, reply });",
        'else this.confirm(reply, version);',
      ],
      [
        'a point does not wait for the rules of a stamp',
        'if (this.held.has(version) || !this.mayNeed(version)) return version;',
        'return Math.min(version, this.inForce);',
      ],
      ['requests are not stamped', 'return this.isVersioned ? this.inForce : undefined;', 'return undefined;'],
    ],
  },
  {
    file: 'packages/core/src/rule-change.ts',
    tests: ['test/soak.test.ts'],
    changes: [
      [
        'a point starts again with its first rules',
        'if (newest?.rules) return {',
        'if (newest?.rules) return {}; if (false) return {',
      ],
      [
        'a gateway starts again without the ids of new rules',
        'return { changedRuleIds, rulesVersion',
        'return { rulesVersion',
      ],
      ['a gateway starts again with the first stamp', 'changedRuleIds, rulesVersion: stamp', 'changedRuleIds'],
    ],
  },
  {
    file: 'packages/oracle/src/rule-versions.ts',
    tests: ['packages/oracle/test/rule-versions.test.ts', 'test/soak.test.ts'],
    changes: [
      ['a stale decision counts as right', 'if (step.version >= due) return [];', 'return [];'],
      ['a torn request counts as whole', 'torn: decidedBy.size > 1', 'torn: false'],
      ['a version from the future is right', 'if (asked > endedUs)', 'if (false)'],
    ],
  },
  {
    file: 'packages/flow/src/fork-table.ts',
    tests: ['packages/flow/test/fork-table.test.ts'],
    changes: [
      [
        'a branch that is handed over late never ends',
        'if (fork.expired) this.giveUp(state, hop);\n    else fork.away',
        'fork.away',
      ],
      ['a repeated outcome counts twice', ' || fork.outcomes[branch]) return false', ') return false'],
    ],
  },
  {
    file: 'packages/flow/src/redact-payload.ts',
    tests: ['packages/flow/test/redact-payload.test.ts'],
    changes: [
      [
        'a pseudonym outranks a removal',
        "for (const pointer of redaction.pseudonymise) placeOf(root, pointer).action = 'pseudonymise';\n  for (const pointer of redaction.remove) placeOf(root, pointer).action = 'remove';",
        "for (const pointer of redaction.remove) placeOf(root, pointer).action = 'remove';\n  for (const pointer of redaction.pseudonymise) placeOf(root, pointer).action = 'pseudonymise';",
      ],
    ],
  },
  {
    file: 'packages/core/src/keyed-hashing.ts',
    tests: ['packages/core/test/keyed-hashing.test.ts'],
    changes: [['pseudonyms have no key', "createHmac('sha256', key)", "createHmac('sha256', '')"]],
  },
  {
    file: 'packages/rule-engine/src/compiled/bitmap-index.ts',
    tests: ['packages/rule-engine/test/compiled/engine.test.ts'],
    changes: [
      [
        'a mask clears one threshold too many',
        'rules.slice(from, from + stride)',
        'rules.slice(from, from + stride + 1)',
      ],
      ['thresholds are sorted the wrong way', 'order.upwards ? b - a : a - b', 'order.upwards ? a - b : b - a'],
    ],
  },
  {
    file: 'packages/rule-engine/src/compiled/candidate-keys.ts',
    tests: ['packages/rule-engine/test/engines-agree.test.ts'],
    changes: [
      [
        'an exchanged contains is looked up as contains',
        "contains: 'in', 'someFact:equal': 'in'",
        "contains: 'contains', 'someFact:equal': 'in'",
      ],
      [
        'an any is looked up by some of its members',
        'parts.every((part) => part !== undefined)',
        'parts.some((part) => part !== undefined)',
      ],
    ],
  },
  {
    file: 'packages/rule-engine/src/compiled/engine.ts',
    tests: ['packages/rule-engine/test/engines-agree.test.ts', 'packages/rule-engine/test/compiled/engine.test.ts'],
    changes: [
      ['rules are listed twice', 'matching.filter(({ rank }, i) => rank !== matching[i - 1]?.rank)', 'matching'],
    ],
  },
  {
    file: 'packages/rule-engine/src/decision.ts',
    tests: ['packages/rule-engine/test/precedence.test.ts', 'packages/rule-engine/test/engines-agree.test.ts'],
    changes: [
      [
        'a reroute loses the redactions of other rules',
        "winner.effect === 'deny' ? []",
        "winner.effect !== 'redact' ? []",
      ],
      ['a lower priority wins', 'b.priority - a.priority', 'a.priority - b.priority'],
      ['a reroute is stronger than a denial', 'deny: 3, reroute: 2', 'deny: 2, reroute: 3'],
    ],
  },
  {
    file: 'packages/rule-engine/src/partial-evaluation.ts',
    tests: ['packages/rule-engine/test/engines-agree.test.ts'],
    changes: [['a folded list has the opposite value', 'return !decisive;', 'return decisive;']],
  },
  {
    file: 'packages/rule-engine/src/operators.ts',
    tests: ['packages/rule-engine/test/operators.test.ts', 'packages/rule-engine/test/engines-agree.test.ts'],
    changes: [
      ['notIn of no text is true', 'isSubstring(a, b) === false', 'isSubstring(a, b) !== true'],
      [
        'a limit is exceeded at the limit',
        'greaterThan: ordered((a, b) => a > b)',
        'greaterThan: ordered((a, b) => a >= b)',
      ],
      [
        'doesNotContain of no list is true',
        'Array.isArray(a) && a.indexOf(b) === -1',
        '!Array.isArray(a) || a.indexOf(b) === -1',
      ],
    ],
  },
  {
    file: 'packages/oracle/src/check-delivery.ts',
    tests: ['packages/oracle/test/check-delivery.test.ts'],
    changes: [
      ['a delivery twice or before its turn is right', 'let at = next;', 'let at = 0;'],
      ['a missing delivery is right', 'if (ended && !done.has(i))', 'if (ended && done.size === 0)'],
      [
        'a superfluous field is right',
        'new Set([...Object.keys(right), ...Object.keys(got)])',
        'new Set(Object.keys(right))',
      ],
    ],
  },
  {
    file: 'packages/oracle/src/check-steps.ts',
    tests: ['packages/oracle/test/check-steps.test.ts'],
    changes: [
      ['a skipped step of an unfinished request is right', '(ended || isSkipped(i))', 'ended'],
      [
        'another rule with the same effect is right',
        'right.effect !== step.effect || right.rule !== step.rule',
        'right.effect !== step.effect',
      ],
      ['a wrong outcome is right', 'if (ended && outcome !== expected.outcome)', 'if (false)'],
    ],
  },
  {
    file: 'packages/oracle/src/exposure.ts',
    tests: ['packages/oracle/test/exposure.test.ts'],
    changes: [
      [
        'parts below a pointer are not exposed',
        'return lacking.filter((other) => isAtOrBelow(other, pointer));',
        'return [];',
      ],
      ['sizes are in characters', 'new TextEncoder().encode(', 'String('],
    ],
  },
  {
    file: 'packages/oracle/src/expected-flow.ts',
    tests: ['packages/oracle/test/expected-flow.test.ts', 'packages/oracle/test/exposure.test.ts'],
    changes: [
      [
        'only regions of the first branch are in the flow',
        'passed.flatMap((end) => end.regions)',
        'passed[0]?.regions',
      ],
      [
        'exposure forgets the pointers of the first decision',
        '[...hiddenBy(first), ...hiddenBy(second)]',
        '[...hiddenBy(second)]',
      ],
      ['the last refusal is reported', 'this.result.refusal ??=', 'this.result.refusal ='],
    ],
  },
  {
    file: 'packages/stats/src/max-t.ts',
    tests: ['packages/stats/test/max-t.test.ts'],
    changes: [
      ['step-down goes in the wrong order', 'descending.toReversed()', 'descending'],
      ['scores of two sides are not centred', '? 0 : score - mean', '? 0 : score'],
      ['a tie counts as no evidence against a change', 'value >= reached - 1e-9', 'value > reached + 1e-9'],
    ],
  },
  {
    file: 'packages/stats/src/rank-interval.ts',
    tests: ['packages/stats/test/intervals.test.ts'],
    changes: [
      ['an approximated interval is three ranks too narrow', 'Math.floor(mean + 0.5 +', 'Math.floor(mean + 3.5 +'],
      [
        'the difference of two unfinished values is known',
        'estimate: estimate === middle(high) ? estimate : Number.NaN',
        'estimate',
      ],
    ],
  },
  {
    file: 'packages/stats/src/median-interval.ts',
    tests: ['packages/stats/test/median-interval.test.ts'],
    changes: [['the interval of a median has one tail', 'below <= alpha / 2;', 'below <= alpha;']],
  },
  {
    file: 'packages/comparison/src/joint-test.ts',
    tests: ['packages/comparison/test/joint-test.test.ts'],
    changes: [
      ['the sensitivity of a gate on two runs is halved', 'Math.sqrt(1 / m + 1 / n)', 'Math.sqrt(1 / m + 1 / n) / 2'],
      ['the sensitivity of a gate on rounds is halved', '/ Math.sqrt(rows)', '/ Math.sqrt(4 * rows)'],
    ],
  },
  {
    file: 'packages/comparison/src/pairs-for-limit.ts',
    tests: ['packages/comparison/test/side-by-side.test.ts', 'packages/comparison/test/design.test.ts'],
    changes: [
      ['half of the pairs are enough', '(detectable / Math.max', '(0.5 * detectable / Math.max'],
      [
        'the number of pairs finds three times the limit only',
        'const twice = 2 * limit - 1;',
        'const twice = 3 * limit - 2;',
      ],
    ],
  },
  {
    file: 'packages/comparison/src/relative-threshold.ts',
    tests: ['packages/comparison/test/gate.test.ts'],
    changes: [
      ['a cell without valid repetition does not matter', 'if (unmeasured > 0) {', 'if (false) {'],
      [
        'cells are judged at the whole error rate',
        'testEachCell(threshold, pairs, comparisons, alpha / 2)',
        'testEachCell(threshold, pairs, comparisons, alpha)',
      ],
    ],
  },
  {
    file: 'packages/comparison/src/absolute-threshold.ts',
    tests: ['packages/comparison/test/gate.test.ts'],
    changes: [
      ['an interval that contains the limit fails', '[isAbove ? 0 : 1]))', '[isAbove ? 1 : 0]))'],
      ['undecided cells pass', 'if (undecided.length > 0) {', 'if (false) {'],
      ['many cells at the limit fail more often than stated', 'failing: alpha / concerned.length', 'failing: alpha'],
      ['a cell passes by the repetitions that have the figure', 'if (missing > 0) {', 'if (false) {'],
    ],
  },
  {
    file: 'packages/comparison/src/knee.ts',
    tests: ['packages/comparison/test/knee.test.ts'],
    changes: [
      ['an open level is within', "? 'within' : 'open'", "? 'within' : 'within'"],
      ['a saturated level is a reference', 'return !atLimit && values', 'return values'],
    ],
  },
  {
    file: 'packages/results/src/validity.ts',
    tests: ['packages/results/test/validity.test.ts'],
    changes: [
      [
        'ten times the tolerated unexplained requests count as overload',
        'limits.secondDifference * schedule.scheduled',
        '10 * limits.secondDifference * schedule.scheduled',
      ],
      [
        'an overload may have other causes',
        'notBorne.length > 0 && otherCauses.length === 0 &&',
        'notBorne.length > 0 &&',
      ],
      ['a repetition without any request is valid', 'if (requests === 0) yield', 'if (requests < 0) yield'],
      ['a dead role does not matter', '...deathReasons(facts),\n  ];\n  const reasons', '];\n  const reasons'],
    ],
  },
  {
    file: 'packages/simulator/src/engine/simulation.ts',
    tests: ['packages/simulator/test/engine/live-turns.test.ts'],
    changes: [
      [
        'a deadline before a silent end of the drain is missed',
        'requests.end(endUs ?? calendar.nowUs)',
        'requests.end(calendar.nowUs)',
      ],
    ],
  },
  {
    file: 'packages/simulator/src/engine/live-turns.ts',
    tests: ['packages/simulator/test/engine/live-turns.test.ts'],
    changes: [['a deadline of hours wraps', 'Math.min(longestTimerUs, Math.ceil(us))', 'Math.ceil(us)']],
  },
  {
    file: 'packages/comparison/src/failing-cells.ts',
    tests: ['packages/comparison/test/gate.test.ts'],
    changes: [
      ['a dead role is blamed on the candidate', "'generator-bound', 'died'", "'generator-bound'"],
      ['one error among late repetitions fails a candidate', '2 * failing >=', '99 * failing >='],
      ['a service that ended fails no candidate', 'why.some(endedByItself) || ', ''],
      [
        'one valid repetition hides the failing ones from a count of failures',
        '[...cell.valid, ...cell.invalid.filter(isFailing)]',
        'cell.valid',
      ],
    ],
  },
  {
    file: 'packages/results/src/lag-limit.ts',
    tests: ['packages/results/test/validity.test.ts', 'packages/results/test/cell-of-samples.test.ts'],
    changes: [
      [
        'a repetition is late when either limit is passed',
        'p99Us > limit.p99Us && (meanUs',
        'p99Us > limit.p99Us || (meanUs',
      ],
      ['a difference of lags in turns is no reason', ' || differsByUs > differenceUs', ''],
      ['a difference of lags by chance is a reason', 'differenceUs > lagLimits.standardErrors *', 'differenceUs > 0 *'],
      ['a generator that waits for the system may be measured again', '(verdict.valid && !mayWait)', 'verdict.valid'],
    ],
  },
  {
    file: 'packages/results/src/late-slices.ts',
    tests: ['packages/results/test/late-slices.test.ts'],
    changes: [
      ['slices are left out by the sum of lags', '): number => sumUs / count;', '): number => sumUs;'],
      ['all slices may be left out', 'const maxShare = 0.5;', 'const maxShare = 1;'],
    ],
  },
  {
    file: 'packages/results/src/schedule-adherence.ts',
    tests: ['packages/results/test/schedule-adherence.test.ts'],
    changes: [['a request 100 ms late counts in its second', 'const borderUs = 10_000;', 'const borderUs = 100_000;']],
  },
  {
    file: 'packages/results/src/sustained-rate.ts',
    tests: ['packages/results/test/sustained-rate.test.ts'],
    changes: [
      ['a rate that is not borne is met', "'met' : low >= condition.boundUs ? 'failed'", "'met' : low < 0 ? 'failed'"],
      ['a late repetition fails a rate', 'isOpen: mayBeLate && !(valueUs < condition.boundUs)', 'isOpen: false'],
    ],
  },
  {
    file: 'packages/results/src/summarise-samples.ts',
    tests: ['packages/results/test/summarise-samples.test.ts'],
    changes: [
      [
        'response times begin at the sending',
        'doneUs, intendedUs, clientLinkUs }) => doneUs && doneUs - intendedUs',
        'doneUs, sentUs, clientLinkUs }) => doneUs && doneUs - (sentUs ?? 0)',
      ],
      [
        'unfinished requests are not in the response times',
        '(clientLinkUs ?? 0)),\n      ),\n      unfinished,',
        '(clientLinkUs ?? 0)),\n      ),\n      0,',
      ],
      ['unfinished requests are not in the round-trip times', "rttUs)), of('unfinished').length)", 'rttUs)))'],
    ],
  },
  {
    file: 'packages/workload/src/arrivals.ts',
    tests: ['packages/workload/test/arrivals.test.ts'],
    changes: [
      ['rounding adds a request', 'Math.ceil(expected - 1e-6)', 'Math.ceil(expected)'],
      [
        'a ramp sends after its end',
        'Math.min((2 * count * 1e6) / (fromRps + root), durationUs - 1e-3)',
        '(2 * count * 1e6) / (fromRps + root)',
      ],
      ['two processes send a request', 'part + i * parts', 'part + i * (parts - 1)'],
    ],
  },
  {
    file: 'loadgen/src/window/measure-load.ts',
    tests: ['loadgen/test/window/measure-load.test.ts'],
    changes: [
      ['a failed load is watched on', '    schedule.close();\n    watch.end();\n', '    schedule.close();\n'],
      ['generators in containers are foreign', 'watch.watchings(load)', 'watch.watchings()'],
      ['events continue in the drain', '        schedule.endLoad();\n', ''],
      [
        'counters are divided by the time of their reset too',
        'await this.#system.reset();\n      this.#resetMs = performance.now();',
        'this.#resetMs = performance.now();\n      await this.#system.reset();',
      ],
    ],
  },
  {
    file: 'loadgen/src/window/event-schedule.ts',
    tests: ['loadgen/test/window/event-schedule.test.ts'],
    changes: [
      [
        'an event begins after the end of the load',
        'until.aborted || this.#nowUs() >= this.#durationUs',
        'until.aborted',
      ],
      ['an event waits for the effect of another', 'void this.#apply(place, event)', 'await this.#apply(place, event)'],
      ['effects count after the drain', 'if (!this.#signal.aborted) this.#records', 'this.#records'],
    ],
  },
  {
    file: 'loadgen/src/open/pacer.ts',
    tests: ['loadgen/test/open/pacer.test.ts'],
    changes: [
      ['the event loop never spins', 'turning = waitUs <= leadUs;', 'turning = false;'],
      ['only the first signal arrives', 'Atomics.store(flags, signalled, 0);', ''],
    ],
  },
  {
    file: 'loadgen/src/open/pacer-thread.ts',
    tests: ['loadgen/test/open/pacer-thread.test.ts'],
    changes: [
      [
        'times 5 ms ahead get no signal',
        '(timesUs[next] as number) <= nowUs)',
        '(timesUs[next] as number) <= nowUs + 5000)',
      ],
    ],
  },
  {
    file: 'packages/workload/src/alternating-schedule.ts',
    tests: ['loadgen/test/open/alternating-schedule.test.ts'],
    changes: [
      ['all servers have the same turn', '(slice * servers + turn) * turnUs(turns)', 'slice * servers * turnUs(turns)'],
      ['requests at the border of a slice are in two', '(slice + 1) * sliceUs) to++', '(slice + 2) * sliceUs) to++'],
    ],
  },
  {
    file: 'loadgen/src/open/response-parser.ts',
    tests: ['loadgen/test/open/response-parser.test.ts'],
    changes: [
      ['a body that is too long is right', 'if (this.#missing < 0)', 'if (false)'],
      ['the answer to HEAD has a body', "this.#method === 'HEAD' || ", ''],
      ['a chunk may be longer than its size', "if (line !== '') throw", "if (line === 'x') throw"],
    ],
  },
  {
    file: 'loadgen/src/open/response-head.ts',
    tests: ['loadgen/test/open/response-parser.test.ts'],
    changes: [['a closed connection is used again', '!/\\bclose\\b/i.test(value) && ', '']],
  },
  {
    file: 'packages/guests/columns/src/http/negotiate.ts',
    tests: ['packages/guests/columns/test/http/negotiate.test.ts'],
    changes: [
      ['a type that the client wants less is sent', 'range.quality <= (best?.quality ?? 0)', 'range.quality < 0'],
      [
        'an unspecific range outranks an exact one',
        "ranges.find(({ name }) => names.includes(name)) ??\n    ranges.find(({ name }) => name === 'application/*')",
        "ranges.find(({ name }) => name === 'application/*')",
      ],
    ],
  },
  {
    file: 'packages/guests/columns/src/sql/sealed-statements.ts',
    tests: ['packages/guests/columns/test/sql/messages.test.ts'],
    changes: [['a statement opens for every user', 'if (owner !== user) throw unknownHandle();', '']],
  },
  {
    file: 'packages/guests/columns/src/sql/read-values.ts',
    tests: ['packages/guests/columns/test/sql/read-values.test.ts'],
    changes: [['digits beyond the scale are read', ' || fraction.length > scale', '']],
  },
  {
    file: 'packages/guests/columns/src/errors.ts',
    tests: ['packages/guests/columns/test/errors.test.ts'],
    changes: [
      [
        'a refusal is an internal error',
        "if (error.code === 'TB_ARROW_DENIED') return",
        "if (error.code === 'TB_INTERNAL') return",
      ],
    ],
  },
  {
    file: 'packages/guests/sources/src/postgresql/columns/numeric-decoder.ts',
    tests: ['packages/guests/sources/test/postgresql/numeric-decoder.test.ts'],
    changes: [
      ['many digits exceed the precision', 'if (unscaled >= 10n ** BigInt(this.builder.type.precision))', 'if (false)'],
      ['few digits exceed the precision', 'if (size >= this.smallLimit)', 'if (false)'],
      ['negative numbers have no upper words', 'if (value < 0) {', 'if (false) {'],
    ],
  },
  {
    file: 'packages/guests/sources/src/postgresql/columns/read-copies.ts',
    tests: ['packages/guests/sources/test/postgresql/read-copies.test.ts'],
    changes: [['a tuple is lost', 'if (rows !== tuples)', 'if (rows - tuples > 1)']],
  },
  {
    file: 'packages/guests/sources/src/rows/decimal-values.ts',
    tests: ['packages/guests/sources/test/rows/decimal-values.test.ts'],
    changes: [
      ['digits beyond the precision are written', ' || digits > precision) return', ') return'],
      ['digits beyond the scale are cut off', 'if (shift < 0 && digits % factor !== 0n) return undefined;', ''],
    ],
  },
  {
    file: 'packages/guests/columns/src/governance/gather.ts',
    tests: ['packages/guests/columns/test/governance/gather.test.ts'],
    changes: [['dictionaries lose their order', '.sort((a, b) => a - b)', '']],
  },
  {
    file: 'packages/guests/columns/src/governance/redact-column.ts',
    tests: ['packages/guests/columns/test/governance/withheld-values.test.ts'],
    changes: [
      [
        'a value that is no text passes in place of a pseudonym',
        'edits[i]?.isRemoved || edits[i]?.isPseudonymised ? -1 : row',
        'edits[i]?.isRemoved ? -1 : row',
      ],
    ],
  },
  {
    file: 'packages/core/src/time-texts.ts',
    tests: ['packages/core/test/time-texts.test.ts'],
    changes: [
      ['offsets of time zones have the wrong sign', "(offset[0] === '-' ? -1 : 1)", "(offset[0] === '-' ? 1 : -1)"],
      ['there is a year 0', 'before ? 1 - Number(years)', 'before ? -Number(years)'],
      ['24:00:00 is a time of day', '([01]\\d|2[0-3])', '([01]\\d|2[0-4])'],
    ],
  },
  {
    file: 'packages/flow/src/replica-choice.ts',
    tests: ['packages/flow/test/memory/replicas.test.ts'],
    changes: [
      ['a branch returns to any replica', 'if (all.includes(replyTo)) return [replyTo];', ''],
      [
        'sticky callers take turns',
        "spread === 'sticky' ? hash32(id) : (turns.get(point) ?? own)",
        'turns.get(point) ?? own',
      ],
    ],
  },
  {
    file: 'packages/oracle/src/expected-flow.ts',
    tests: ['test/performers-agree-with-oracle.test.ts'],
    changes: [['every request enters at the first gateway', 'world.entryNode(request.origin)', "world.entryNode('')"]],
  },
  {
    file: 'packages/flow/src/machine/role-machine.ts',
    tests: ['packages/flow/test/machine/role-machine.test.ts'],
    changes: [['a retry works twice', 'if (this.once && !this.once.begin(step, answer)) return;', '']],
  },
  {
    file: 'packages/flow/src/memory/memory-role.ts',
    tests: ['packages/flow/test/memory/faults.test.ts'],
    changes: [['a cancelled timer expires at a thaw', 'event.cancelled || happen()', 'happen()']],
  },
  {
    file: 'packages/simulator/src/trace-demand.ts',
    tests: ['packages/simulator/test/stability.test.ts'],
    changes: [['a fork is counted twice', 'if (continued.has(a)) break;', '']],
  },
  {
    file: 'packages/simulator/src/script/role-script.ts',
    tests: ['test/simulated-events.test.ts'],
    changes: [['lost messages arrive', 'from !== undefined && peers', "from === 'x' && peers"]],
  },
  {
    file: 'packages/cli/src/commands/judge/action.ts',
    tests: ['packages/cli/test/commands/judge/judge.test.ts'],
    changes: [
      ['a run before its prediction is judged', 'Date.parse(record.startedAt) < Date.parse(createdAt)', 'false'],
    ],
  },
  {
    file: 'packages/comparison/src/predictions/judge-predictions.ts',
    tests: ['packages/comparison/test/predictions/judge-predictions.test.ts'],
    changes: [['the floor compares a repetition with itself', 'measured.filter((_, j) => j !== i)', 'measured']],
  },
  {
    file: 'packages/comparison/src/profiles/compare-profiles.ts',
    tests: ['packages/comparison/test/profiles/compare-profiles.test.ts'],
    changes: [['every function is named', 'adjustedPValue <= alpha && ', '']],
  },
  {
    file: 'packages/workbench/src/confirm/premise-results.ts',
    tests: ['packages/cli/test/commands/confirm/confirm.test.ts'],
    changes: [['a premise has no upper end', 'value < min || value > max', 'value < min']],
  },
  {
    file: 'packages/workshop/src/server/guard.ts',
    tests: ['packages/workshop/test/server.test.ts'],
    changes: [['any Host is answered', 'if (!hosts.includes(host))', 'if (false)']],
  },
  {
    file: 'packages/guests/sources/src/parquet/index-widths.ts',
    tests: ['packages/guests/sources/test/parquet/index-widths.test.ts'],
    changes: [['wide indexes are read by rows', 'maxIndexBits = 24', 'maxIndexBits = 32']],
  },
  {
    file: 'packages/comparison/src/enough-requests.ts',
    tests: ['packages/comparison/test/gate.test.ts'],
    changes: [['one request decides a threshold', 'count < min', 'count < 1']],
  },
  {
    file: 'packages/flow/src/machine/retries.ts',
    tests: ['packages/flow/test/memory/retries.test.ts'],
    changes: [
      [
        'a message that was sent is sent again',
        'if (error.isSent && !this.isDoneOnce(attempt.effect)) return false;',
        '',
      ],
      ['the budget of retries has no end', 'const windowUs = 10_000_000;', 'const windowUs = 10_000_000_000;'],
    ],
  },
  {
    file: 'packages/simulator/src/engine/live-turns.ts',
    tests: ['test/simulated-events.test.ts'],
    changes: [
      ['turns of a restarted role belong to no request', '    this.write(operation.as, request);', ''],
      ['clients of a dead gateway wait', '      ...failing(this.script.clientsOf(process), scripts.length),', ''],
    ],
  },
  {
    file: 'packages/simulator/src/engine/event-loops.ts',
    tests: ['packages/simulator/test/engine/simulation.test.ts'],
    changes: [
      ['work of others does not matter', '(this.workUs[host] as number) - (this.seenWorkUs[process] as number)', '0'],
      ['going to sleep is free', 'us += demand.sleepUs * factor', 'us += 0'],
    ],
  },
  {
    file: 'packages/measured/src/bearable/cost-probe.ts',
    tests: ['packages/measured/test/bearable/cost-model.test.ts'],
    changes: [['a probe has events', ', events: [] }', ' }']],
  },
  {
    file: 'packages/simulator/src/engine/planned-events.ts',
    tests: ['test/simulated-events.test.ts'],
    changes: [['a restarted role has its first rules', 'this.control.rulesOf(role)', '{}']],
  },
  {
    file: 'packages/flow/src/decider.ts',
    tests: ['packages/flow/test/memory/takeover.test.ts'],
    changes: [['takeover without rules', '[...responsibleFor, ...takesOver].map', '[...responsibleFor].map']],
  },
  {
    file: 'packages/flow/src/machine/role-machine.ts',
    tests: ['packages/flow/test/memory/takeover.test.ts'],
    changes: [['a sent flow is taken over as well', 'error.isUnreachable && !error.isSent', 'error.isUnreachable']],
  },
  {
    file: 'packages/flow/src/machine/breakers.ts',
    tests: ['packages/flow/test/memory/breakers.test.ts'],
    changes: [
      ['a breaker never closes', 'this.peers.delete(peer);', ''],
      ['a half-open breaker sends all', 'breaker.probe = task;', ''],
      ['a short rest of a deadline opens a breaker', 'withinUs < this.enoughUs', 'withinUs <= 0'],
    ],
  },
  {
    file: 'packages/oracle/src/expected-flow.ts',
    tests: ['test/takeover-agrees-with-oracle.test.ts'],
    changes: [
      ['exposure of a takeover at the dead router', 'other ?? enforcementNode(service)', 'enforcementNode(service)'],
    ],
  },
  {
    file: 'packages/topology/src/architectures/dynamic-router.ts',
    tests: ['test/takeover-agrees-with-oracle.test.ts'],
    changes: [['the router before takes over', '(index + 1) % points', '(index + points - 1) % points']],
  },
  {
    file: 'packages/experiment/src/resolve/changed-rules.ts',
    tests: ['packages/experiment/test/changed-rules.test.ts'],
    changes: [['a frozen point confirms rules', "kind === 'freeze' || ", '']],
  },
  {
    file: 'packages/runners/src/kubernetes/kept-roles.ts',
    tests: ['packages/runners/test/kubernetes/role-figures.test.ts'],
    changes: [['a restarted pod has its first rules', 'rules ? { rules } : {}', '{}']],
  },
  {
    file: 'packages/services/src/keeper/keep-role.ts',
    tests: ['packages/services/test/keeper/keep-role.test.ts'],
    changes: [
      [
        'a keeper ignores changed rules',
        'JSON.stringify({ ...this.#config, ...rules })',
        'JSON.stringify(this.#config)',
      ],
    ],
  },
  {
    file: 'packages/routing/src/report/answer.ts',
    tests: ['packages/routing/test/report/answer.test.ts'],
    changes: [
      [
        'every rival is slower than the lowest level',
        "againstLowest?.verdict === 'slower'",
        'againstLowest !== undefined',
      ],
      ['rivals are not compared', 'one.againstLowest = cell', 'void cell'],
    ],
  },
  {
    file: 'packages/results/src/count-samples.ts',
    tests: ['packages/results/test/event-effects.test.ts'],
    changes: [['requests without an end are errors', "outcome === 'error'", 'error !== null']],
  },
  {
    file: 'packages/routing/src/check-versions.ts',
    tests: ['packages/routing/test/check-versions.test.ts'],
    changes: [
      ['a takeover counts for the dead point', 'takenOver && own !== undefined ? takeover?.[own] : own', 'own'],
    ],
  },
  {
    file: 'packages/guests/sources/src/parquet/checked-pages.ts',
    tests: ['packages/guests/sources/test/parquet/announced-values.test.ts'],
    changes: [['pages have more values than their group', '!(values <= expected)', 'false']],
  },
  {
    file: 'packages/guests/sources/src/parquet/index-widths.ts',
    tests: ['packages/guests/sources/test/parquet/index-widths.test.ts'],
    changes: [['a run is longer than its page', '!isPacked && count > values', 'false']],
  },
  {
    file: 'packages/runners/src/kubernetes/kube-config-files.ts',
    tests: ['packages/runners/test/kubernetes/kube-config.test.ts'],
    changes: [['a server without TLS has credentials', 'config: withPlainServers(config)', 'config']],
  },
  {
    file: 'packages/results/src/event-effects.ts',
    tests: ['packages/results/test/event-effects.test.ts'],
    changes: [
      ['an open breaker belongs to no event', '(isOfBreaker && isOfHop ? breakerUs : 0)', '0'],
      ['a step is taken over because of any event', 'if (point.some((role) => roles.includes(role)))', 'if (true)'],
      ['the second before an event is all that counts', 'const beforeUs = 60e6;', 'const beforeUs = 1e6;'],
    ],
  },
  {
    file: 'packages/simulator/src/traces/traces.ts',
    tests: ['packages/simulator/test/traces.test.ts'],
    changes: [
      [
        'replicas have the demand of the first kinds',
        'of this.inTurn) spreadEvenly',
        'of [] as number[][]) spreadEvenly',
      ],
    ],
  },
  {
    file: 'packages/workshop/src/server/topology-files.ts',
    tests: ['packages/workshop/test/server.test.ts'],
    changes: [['a shipped topology is overwritten', 'if (isShipped) {', 'if (false) {']],
  },
  {
    file: 'packages/workshop/src/browser/proofs.ts',
    tests: ['packages/workshop/test/browser/proofs.test.ts'],
    changes: [
      ['a proof stands at any setting', ' && keyOf(settings) === keyOf(asked.settings)', ''],
      ['a decision is current under another calibration', 'calibration !== now.calibration', 'false'],
    ],
  },
  {
    file: 'packages/workshop/src/browser/question-turns.ts',
    tests: ['packages/workshop/test/browser/question-turns.test.ts'],
    changes: [['nothing is shown while a slider moves', 'if (leftMs <= 0)', 'if (true)']],
  },
  {
    file: 'packages/workshop/src/predict/details.ts',
    tests: ['packages/workshop/test/details.test.ts'],
    changes: [['the error of one machine is stated for several', ' || hosts.length > 1', '']],
  },
  {
    file: 'packages/simulator/src/engine/timed-rule-change.ts',
    tests: ['packages/workshop/test/details.test.ts'],
    changes: [['polled rules arrive at once', 'return firstUs + polls * everyUs - nowUs;', 'return 0;']],
  },
  {
    file: 'packages/results/src/run-name.ts',
    tests: ['packages/results/test/run-name.test.ts'],
    changes: [['two runs of a second share a folder', 'if (!existsSync(free)) return free;', 'return free;']],
  },
  {
    file: 'packages/workbench/src/confirm/confirm.ts',
    tests: ['packages/cli/test/commands/confirm/confirm.test.ts'],
    changes: [['nothing checked is passed', ' || results.length === 0', '']],
  },
  {
    file: 'packages/containers/src/engine-address.ts',
    tests: ['packages/containers/test/engine-address.test.ts'],
    changes: [['DOCKER_HOST is ignored', 'if (env.DOCKER_HOST) return [fromVariable(env, configFolder)];', '']],
  },
  {
    file: 'packages/deployment/src/planned-hops.ts',
    tests: ['packages/deployment/test/planned-hops.test.ts'],
    changes: [['jitter is a part of the least time of links', '(delay.delayUs - delay.jitterUs)', 'delay.delayUs']],
  },
  {
    file: 'packages/experiment/src/round-order.ts',
    tests: ['packages/experiment/test/round-order.test.ts'],
    changes: [['cells of one deployment keep their order', 'members: shuffled(members, random)', 'members']],
  },
  {
    file: 'packages/experiment/src/stored-secrets.ts',
    tests: ['packages/experiment/test/stored-secrets.test.ts'],
    changes: [
      ['passwords of web addresses are stored', 'withoutCredentials(withoutPasswords(text))', 'withoutPasswords(text)'],
    ],
  },
  {
    file: 'packages/host/src/machine/host-cpu.ts',
    tests: ['packages/host/test/machine/host-cpu.test.ts'],
    changes: [['our own work is foreign', 'before.programs - ownCpuUs, left', 'before.programs, left']],
  },
  {
    file: 'packages/report/src/figure-text.ts',
    tests: ['packages/report/test/figure-text.test.ts'],
    changes: [['an endless figure is below a finite one', ' && us > boundUs', ' && us < 0']],
  },
  {
    file: 'packages/studies/src/index.ts',
    tests: ['packages/studies/test/metrics.test.ts'],
    changes: [['figures of guests cannot be compared', '({ metrics }) => metrics ?? []', '() => []']],
  },
  {
    file: 'packages/study-kit/src/published-claims.ts',
    tests: ['packages/study-kit/test/published-claims.test.ts'],
    changes: [['a claim is refuted at twice the level', 'alpha / Math.max(2, claims.length)', 'alpha']],
  },
  {
    file: 'packages/topology/src/missing-passes.ts',
    tests: ['packages/topology/test/missing-passes.test.ts'],
    changes: [['a negation changes nothing', 'find(condition.not, !holds)', 'find(condition.not, holds)']],
  },
  {
    file: 'packages/topology/src/yaml-aliases.ts',
    tests: ['packages/topology/test/yaml-aliases.test.ts'],
    changes: [['aliases count as one value each', 'sum += values;', 'sum += 1;']],
  },
  {
    file: 'packages/libraries/arrow-flight/src/server/password-tries.ts',
    tests: ['packages/libraries/arrow-flight/test/server/password-tries.test.ts'],
    changes: [['a burst is checked at once', 'own.wrong + own.pending < perConnection', 'own.wrong < perConnection']],
  },
  {
    file: 'packages/libraries/http2/src/send-queue.ts',
    tests: ['packages/libraries/http2/test/send-queue.test.ts'],
    changes: [
      [
        'sent pieces are kept',
        'this.pieces[this.first++] = gone;\n      this.sentOfFirst',
        'this.first++;\n      this.sentOfFirst',
      ],
    ],
  },
  {
    file: 'packages/guests/access-study/src/report/findings.ts',
    tests: ['packages/guests/access-study/test/report/findings.test.ts'],
    changes: [
      ['fewer layers are the slower ones', 'slower(cells, slow, ladder[at])', 'slower(cells, ladder[at], slow)'],
    ],
  },
  {
    file: 'packages/guests/store-study/src/check-lists.ts',
    tests: ['packages/guests/store-study/test/check-item-calls.test.ts'],
    changes: [
      [
        'a list may count what rules deny',
        "if (enforcement.decisions.some(({ effect }) => effect === 'deny'))",
        'if (false)',
      ],
    ],
  },
  {
    file: 'packages/guests/stores/src/servers/connection-strings.ts',
    tests: ['packages/guests/stores/test/servers/connection-strings.test.ts'],
    changes: [['passwords in options are shown', ".replace(/([?&]\\w*password=)[^&]*/gi, '$1')", '']],
  },
  {
    file: 'packages/guests/stream-study/src/input/recorded-tracks.ts',
    tests: ['packages/guests/stream-study/test/recorded-tracks.test.ts'],
    changes: [['UTF-16 needs a mark', " || first === '3c00'", '']],
  },
  {
    file: 'packages/guests/stream-study/src/sustained-search.ts',
    tests: ['packages/guests/stream-study/test/sustained-search.test.ts'],
    changes: [['a rate that is too high is followed by a higher one', '} else high = rate;', '} else low = rate;']],
  },
  {
    file: 'packages/guests/streams/src/keyed-sums.ts',
    tests: ['packages/guests/streams/test/keyed-sums.test.ts'],
    changes: [['the latest event is the last one', 'if (timeMs > (this.timesMs[row] as number)) ', '']],
  },
  {
    file: 'packages/guests/transfer-study/src/right-decisions.ts',
    tests: ['packages/guests/transfer-study/test/right-decisions.test.ts'],
    changes: [['repeated batches count once', 'number < batches; number++)', 'number < differentBatches; number++)']],
  },
  {
    file: 'packages/guests/connectors/src/program/cursor.ts',
    tests: ['packages/guests/connectors/test/program/cursor.test.ts'],
    changes: [['rows of a state are read again', 'compare(value, above) <= 0', 'compare(value, above) < 0']],
  },
];
