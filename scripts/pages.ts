/** Bundles the pages, for the build. */
import { bundlePages } from './packages/pages.js';

await bundlePages();
