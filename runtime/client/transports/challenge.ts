/** What a `WWW-Authenticate` header says of tokens. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
}

export function challengeIn({ headers }: Pick<Response, 'headers'>): Challenge {
  const header = headers.get('www-authenticate') ?? '';
  if (!/^(?:bearer|dpop) \S/i.test(header)) return {};
  const valueOf = (name: string): string | undefined => {
    const [, quoted, plain] =
      new RegExp(`[\\s,]${name}\\s*=\\s*(?:"([^"]+)"|([^\\s,"]+))`, 'i').exec(header) ?? [];
    return quoted ?? plain;
  };
  const address = valueOf('resource_metadata') ?? '';
  return {
    ...(URL.canParse(address) && { resourceMetadataUrl: new URL(address) }),
    scope: valueOf('scope'),
    error: valueOf('error'),
  };
}
