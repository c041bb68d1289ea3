/** Bundles the pages from their sources, before the tests that write or serve them. */
export { bundlePages as setup } from '../../scripts/packages/pages.js';
