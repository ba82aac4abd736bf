/*
 | Runs commands from the TypeScript sources, for development. The built
 | commands start faster: `npm run ace -- <command>`.
 */
await import('@poppinss/ts-exec')
await import('./bin/console.ts')
