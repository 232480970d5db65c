/** Options of all runners, for their creation: each uses the options that apply to it. */
export interface RunnerOptions {
  /** Path of the built service entry, which turns the documents of a role into a role. */
  serviceEntry: string;
  /** Image of the roles in containers, used as it is. Default: built when needed. */
  image?: string;
  /** Node.js image that the image of the roles is built on. */
  baseImage?: string;
  /** Context of the container engine or cluster. Default: the current one. */
  context?: string;
  /** Called with a line for each step of the preparation that takes long. */
  onProgress?: (line: string) => void;
}
