/** The audit trail. */
export default {
  /**
   * How long repeated refusals of one cause are counted into one event. Anybody can cause
   * them, and must not be able to fill the trail: two events of a cause in ten minutes show
   * an attack as well as thousands.
   */
  floodWindowMs: 600_000,
}
