import { setFlagsFromString } from 'node:v8'

/**
 * These commands process a million rows and leave garbage. With the flag, V8 collects it early:
 * half the memory, for a tenth more processor time. It is set before anything else is loaded.
 */
if (process.argv[2]?.startsWith('backup:')) setFlagsFromString('--optimize-for-size')
