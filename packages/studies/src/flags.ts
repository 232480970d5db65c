/** The flags of single kinds of study, apart from the registry: a command line is read before any study loads. */
import { accessFlags } from '@topo-bench/access-study/flags';
import { streamFlags } from '@topo-bench/stream-study/flags';
import type { StudyFlags } from '@topo-bench/study-kit/study-flags';

export const studyFlags: readonly StudyFlags[] = [accessFlags, streamFlags];
