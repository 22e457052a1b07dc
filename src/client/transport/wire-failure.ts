import { systemErrorCode } from '../../base/whole-file.js';

const REASONS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time (connectTimeoutMs)',
  UND_ERR_HEADERS_TIMEOUT: 'no answer began in time (headersTimeoutMs)',
  UND_ERR_BODY_TIMEOUT: 'its answer stood still for too long (bodyTimeoutMs)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the other end does not speak https',
};

/** Error codes for certificates whose signer Node.js does not know. */
const UNTRUSTED = /^(DEPTH_ZERO_)?SELF_SIGNED|^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/;

/**
 * Describes a fault of a connection.
 *
 * @param status Status of the answer that broke off; undefined if none began.
 * @param proxied Whether the environment names a proxy, which may be what failed.
 * @returns The reason in a few words, and the message around it.
 */
export function wireFailure(
  url: URL,
  status: number | undefined,
  fault: unknown,
  proxied: boolean,
): { message: string; reason: string } {
  const reason = reasonOf(fault);
  if (status !== undefined) {
    return { reason, message: `The query service broke off its answer (POST ${url.href}): ${reason}.` };
  }
  const remedy = remedyOf(fault, proxied);
  return { reason, message: `The query service could not be reached (POST ${url.href}): ${reason}. ${remedy}` };
}

function remedyOf(fault: unknown, proxied: boolean): string {
  if (UNTRUSTED.test(systemErrorCode(fault) ?? '')) {
    return 'If you trust the certificate, start Node.js with NODE_EXTRA_CA_CERTS naming the file of who signed it.';
  }
  if (!proxied && systemErrorCode(fault) === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return 'Perhaps the address (ODDSLAB_URL) should begin with http:, not https:.';
  }
  return proxied
    ? 'Check the address (ODDSLAB_URL) and the proxy (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).'
    : 'Check the address (ODDSLAB_URL), or start a service with "oddslab serve".';
}

/** The reason for a fault; a refused connection has it one level down. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map((inner) => reasonOf(inner)))].join('; ');
  if (!(error instanceof Error)) return String(error);
  return REASONS['code' in error ? String(error.code) : ''] ?? (error.message || error.name);
}
