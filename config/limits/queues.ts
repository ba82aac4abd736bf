export default {
  /** Concurrent jobs in each process: an application or a mail server may hang and keep a slot. */
  mailJobs: 3,
  logoutJobs: 60,
  clientJobs: 1,

  /**
   * Concurrent messages to one application, over all processes: others must not wait for one that
   * is down. Each failure doubles its pause, and its messages end after a day.
   */
  receiverJobs: {
    limit: 2,
    firstPauseMs: 2_000,
    longestPauseMs: 60_000,
    lifetimeMs: 86_400_000,
  },

  /** For one application: while it is down, users who sign in and out leave many messages. */
  waitingMessages: 100_000,
}
