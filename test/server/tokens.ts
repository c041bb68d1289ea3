import { bearer } from '../../runtime/server/index.js';

export const RESOURCE = 'http://localhost/mcp';
const ISSUER = 'https://issuer.example';

/** Tokens are what they say: subject, client and scopes, which are separated by spaces. */
export function tokenOf(subject: string, clientId = 'app', scopes = 'mcp'): string {
  return [subject, clientId, scopes.replaceAll(' ', '+'), RESOURCE, ISSUER].join('|');
}

export const authorization = bearer({
  resource: RESOURCE,
  issuer: ISSUER,
  scopes: ['mcp'],
  verify(token) {
    const [subject = '', clientId = '', scopes = '', audience = '', issuer = ''] = token.split('|');
    return Promise.resolve(
      issuer === ''
        ? undefined
        : {
            subject,
            clientId,
            issuer,
            scopes: scopes.split('+'),
            audience: [audience],
            expiresAt: Date.now() / 1000 + 600,
          },
    );
  },
});
