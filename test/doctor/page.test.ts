import { describe, expect, it } from 'vitest';
import { doctorPage } from '../../pages/doctor/index.js';
import { ASSETS, hostile } from './pages.js';
import { examined } from './server.js';

describe('the page of an examined server', () => {
  it('shows each finding with what shows it, and has no script', async () => {
    const examination = await hostile();
    const page = doctorPage(examination, ASSETS);
    expect(page).not.toMatch(/<script|<img|\u202e/);
    expect(page.match(/<li><p><span class="badge /g)).toHaveLength(examination.findings.length);
    expect(page).toContain("default-src 'none'; style-src 'sha256-");
    expect(page).toContain('BASE-MSG-2');
  });

  it('says of a server without a fault that it is good', async () => {
    const page = doctorPage(await examined(), ASSETS);
    expect(page).toContain('<span class="badge good">good</span>');
    expect(page).not.toContain('class="badge bad"');
  });
});
