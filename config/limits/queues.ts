export default {
  /** Jobs at once, in each process: an application or a mail server may hang, and holds its slot. */
  mailJobs: 3,
  logoutJobs: 60,
  clientJobs: 1,

  /**
   * Messages to one application at once, over all processes: others must not wait for one that is
   * down. Each failure doubles its pause, and its messages end after a day.
   */
  receiverJobs: {
    limit: 2,
    firstPauseMs: 2_000,
    longestPauseMs: 60_000,
    lifetimeMs: 86_400_000,
  },

  /** For one application: users who sign in and out in turn leave any number while it is down. */
  waitingMessages: 100_000,
}
