import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The files of a certificate of localhost that signs itself, and of its key. */
export function selfSigned(folder: string): [cert: string, key: string] {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const subject = ['-nodes', '-subj', '/CN=localhost', '-days', '2'];
  execFileSync('openssl', [...request, ...subject, '-out', cert, '-keyout', key], {
    stdio: 'ignore',
  });
  return [cert, key];
}
