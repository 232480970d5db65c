/** Errors as the protocol reports them: a TRACE message, with no secret in it. */
import { ExitCode, TopoBenchError, withoutCredentials } from '@topo-bench/core';
import type { AirbyteMessage, FailureType, StreamDescriptor } from '../protocol/messages.ts';

/** Another attempt may succeed. */
const transient: ReadonlySet<string> = new Set(['TB_STORE_UNREACHABLE', 'TB_SOURCE_LOST', 'TB_STORE_BUSY']);
/** The user corrects them in the configuration or in the store. */
const config = /^TB_(STORE_LOGIN|STORE_URL|SOURCE_|USAGE$)/;
/** User and password of a connection string of any store; passwords may contain `@`, `/` and `#` as they are. */
const userInfo = /\b([a-z][a-z+]*:\/\/)[^\s"'<>?]*@/gi;

export function failureMessage(error: unknown, stream?: StreamDescriptor): AirbyteMessage {
  return {
    type: 'TRACE',
    trace: {
      type: 'ERROR',
      emitted_at: Date.now(),
      error: {
        message: messageOf(error),
        ...(error instanceof TopoBenchError ? { internal_message: error.code } : {}),
        failure_type: failureType(error),
        ...(stream && { stream_descriptor: stream }),
      },
    },
  };
}

/** Message and hint. */
export function messageOf(error: unknown): string {
  const { message, hint } = error as { message: string; hint?: string };
  return withoutSecrets(hint === undefined ? message : `${message} (${hint})`);
}

function withoutSecrets(text: string): string {
  return withoutCredentials(text).replace(userInfo, '$1***@');
}

function failureType(error: unknown): FailureType {
  if (!(error instanceof TopoBenchError)) return 'system_error';
  if (transient.has(error.code)) return 'transient_error';
  return config.test(error.code) || error.exitCode === ExitCode.badInput ? 'config_error' : 'system_error';
}
