import { startSandboxes } from './sandboxes.ts';

module.exports = startSandboxes;
