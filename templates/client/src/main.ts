#!/usr/bin/env node
import { processIo } from './io.js';
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), processIo());
// A terminal that was asked on stays open, and would keep the process waiting.
if (process.stdin.isTTY) process.stdin.unref();
