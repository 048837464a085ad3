export * from './index.js';
/** Unpacks and starts the module, which is within the script. */
export function init(): Promise<void>;
