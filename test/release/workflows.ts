import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { root } from '../docs/snippets.js';

const Step = z.looseObject({ uses: z.string().optional(), run: z.string().optional() });

const Job = z.looseObject({
  uses: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  'timeout-minutes': z.number().optional(),
  strategy: z
    .looseObject({ matrix: z.looseObject({ node: z.array(z.number()).optional() }) })
    .optional(),
  steps: z.array(Step).default([]),
});

/** The parts of a workflow that our rules are about. GitHub's own rules are actionlint's. */
const Workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), Job),
});

/** A workflow of this repository. */
export interface WorkflowFile {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
  readonly workflow: z.output<typeof Workflow>;
}

/** @throws when a workflow declares no permissions, which GitHub then takes from the repository's settings. */
export function workflows(): WorkflowFile[] {
  const folder = '.github/workflows';
  return readdirSync(join(root, folder)).map((name) => {
    const text = readFileSync(join(root, folder, name), 'utf8');
    return { path: `${folder}/${name}`, text, workflow: Workflow.parse(parse(text)) };
  });
}
