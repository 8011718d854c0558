import { stopSandboxes } from './sandboxes.ts';

module.exports = stopSandboxes;
