import { chromium } from 'playwright-core'
import { findOrInstall } from './debian.ts'

const WITHOUT_WINDOWS = 'chromium-headless-shell'

/** Passkeys need the whole browser. */
export type BrowserKind = 'whole' | 'without windows'

const programs = new Map<BrowserKind, string>()

/**
 * Chromium without windows draws and runs pages as the whole browser does, and takes half of its
 * processor time. Call this before any test: an installation may take longer than a test may.
 */
export function findBrowser(kind: BrowserKind = 'without windows') {
  const program = programs.get(kind) ?? findOrInstallBrowser(kind)
  programs.set(kind, program)
  return program
}

function findOrInstallBrowser(kind: BrowserKind) {
  if (kind === 'whole') return findOrInstall('chromium', 'chromium')
  try {
    return findOrInstall(WITHOUT_WINDOWS, WITHOUT_WINDOWS)
  } catch {
    return findOrInstall('chromium', 'chromium')
  }
}

export function launchBrowser(flags: string[] = [], kind?: BrowserKind) {
  return chromium.launch({ executablePath: findBrowser(kind), args: ['--no-sandbox', ...flags] })
}
