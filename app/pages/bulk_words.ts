import type { BulkAction } from '#users/bulk_actions'

interface BulkWords {
  question: string
  button: string
  /** The button beside the number of all that match. */
  all: string
  done: string
}

export const BULK_WORDS: Record<BulkAction, BulkWords> = {
  'lock': { question: 'Lock these users?', button: 'Lock', all: 'Lock all', done: 'locked' },
  'unlock': {
    question: 'Unlock these users?',
    button: 'Unlock',
    all: 'Unlock all',
    done: 'unlocked',
  },
  'disable': {
    question: 'Disable these users?',
    button: 'Disable',
    all: 'Disable all',
    done: 'disabled',
  },
  'delete': {
    question: 'Delete these users for good?',
    button: 'Delete',
    all: 'Delete all',
    done: 'deleted',
  },
  'end-sessions': {
    question: 'End all sessions of these users?',
    button: 'End sessions',
    all: 'End sessions of all',
    done: 'signed out everywhere',
  },
}
