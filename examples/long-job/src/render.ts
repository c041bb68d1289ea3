import { createTaskClient } from '@mcp-codegen/runtime/client';

/** `npm run render -- <frames> [width]`: calls the tool, and prints the progress and the result. */
const [frames = '240', width = '600'] = process.argv.slice(2);
const { SERVER = 'http://127.0.0.1:3000/mcp' } = process.env;

// In revision 2026-07-28 there are no sessions, so the call continues while the server restarts.
const tasks = createTaskClient({ name: 'render', version: '1.0.0' });
try {
  await tasks.connect(SERVER);
  const { structuredContent } = await tasks.call(
    'render-film',
    { frames: Number(frames), width: Number(width) },
    { onStatus: ({ status, statusMessage }) => console.error(statusMessage ?? status) },
  );
  console.log(JSON.stringify(structuredContent));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await tasks.close();
}
