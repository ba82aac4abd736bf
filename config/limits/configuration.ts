/** A file that is applied is held in memory as a tree, which takes many times its size. */
export default {
  configurationBytes: 2_097_152,

  configurationFiles: 20,

  /** Aliases repeat their contents: ten aliases of ten aliases of ten … would fill the memory. */
  configurationNodes: 200_000,

  /** Each value keeps the names above it, so that an error can tell the position. */
  configurationKey: 200,

  /** A deep tree would cost a recursion. */
  configurationDepth: 20,
}
