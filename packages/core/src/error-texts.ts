/**
 * Meaning and remedy of every error code: the text of `docs/errors.md`. Processes that only report errors do not load
 * it.
 */
import { architectureTable } from './architectures.ts';
import type { ErrorCode } from './error-codes.ts';

export interface ErrorText {
  /** Meaning, one sentence. */
  summary: string;
  /** Action of the user, one sentence. */
  remedy: string;
}

const roleNames = Object.values(architectureTable).flatMap(({ roleName }) => (roleName ? [`\`${roleName}\``] : []));

/** Without those of guests, which have their own. */
export const errorTexts = {
  TB_INTERNAL: {
    summary: 'A fault of topo-bench itself.',
    remedy: 'Report it with the message, the stack trace and the file that led to it.',
  },
  TB_USAGE: {
    summary: 'A command, argument or flag is unknown, missing or out of range.',
    remedy: 'Read the usage that `topo-bench <command> --help` prints.',
  },
  TB_UNIT_INVALID: {
    summary: 'A duration, size or rate lacks its unit or cannot be read.',
    remedy: 'Write durations as `10ms` or `2s`, sizes as `64KiB`, rates as a number of requests per second.',
  },
  TB_LOAD_URL: {
    summary: 'The target of a load is not an http or https URL.',
    remedy: 'Write the URL in full, e.g. `http://127.0.0.1:8080/requests`.',
  },
  TB_LOAD_CONDITION: {
    summary: 'The condition of `--find-max` cannot be read.',
    remedy: 'Write it as a quantile and a bound, e.g. `p95<50ms`.',
  },
  TB_LOAD_UNREACHABLE: {
    summary: 'Nothing accepts connections at the URL that load is meant for.',
    remedy: 'Start the server, or correct host and port of the URL.',
  },
  TB_LOAD_ACCESS: {
    summary: 'The load cannot log in to the service, or one of the two does not trust the certificate of the other.',
    remedy:
      'Set what the message names: the variable of the password, or the PEM files in `arrow.flight` of the service and `flight.client` of the experiment.',
  },
  TB_LOAD_GENERATOR_DIED: {
    summary: 'A load generator process ended before its load did.',
    remedy: 'Read its last lines in the message; when it was killed for memory, lower rate, duration or payload size.',
  },
  TB_LOAD_GENERATOR_REFUSED: {
    summary: 'A load generator on another host cannot be reached, or does not accept this coordinator.',
    remedy:
      'Read the reason in the message: start the generator, give its token, wait for the other coordinator, or use one version of topo-bench on both hosts.',
  },
  TB_LOAD_GENERATORS_DIFFER: {
    summary: 'Load generators on other hosts drew other send times than this one.',
    remedy: 'Use the same version of topo-bench on all hosts, and build the image of the generators again.',
  },
  TB_LOAD_OUT_OF_RANGE: {
    summary: 'A rate, duration or size of load is out of range, or the load exceeds the requests of one schedule.',
    remedy: 'Choose a positive rate and duration, and split a load of more than 20 million requests into repetitions.',
  },
  TB_STATS_INPUT: {
    summary: 'A statistic is not defined for its input values.',
    remedy: 'Report it with the message; when samples were edited by hand, remove values that are not numbers.',
  },
  TB_FILE_SYNTAX: {
    summary:
      'A file is not well-formed YAML, JSON or GPX, or contains constructs that topo-bench refuses (duplicate keys, several documents, alias bombs).',
    remedy: 'Correct the text at the place that the message names.',
  },
  TB_SCHEMA_UNKNOWN_KEY: {
    summary: 'A file has a key that is not in its schema.',
    remedy: 'Correct the spelling, or remove the key; docs/schema-reference.md lists all keys.',
  },
  TB_SCHEMA_MISSING_KEY: {
    summary: 'A file lacks a key that its schema requires.',
    remedy: 'Add the key that the message names.',
  },
  TB_SCHEMA_INVALID: {
    summary: 'A value of a file has the wrong type, or is not one of the allowed values.',
    remedy: 'Write a value of the kind that the message names.',
  },
  TB_TOPOLOGY_UNKNOWN_NODE: {
    summary: 'A topology names a node that it does not define.',
    remedy: 'Add the node to `nodes`, or correct the name.',
  },
  TB_TOPOLOGY_UNKNOWN_PLACE: {
    summary: 'A link or a request class names a place that is neither a region nor a node of the topology.',
    remedy: 'Correct the name, or add a node of that name or region.',
  },
  TB_TOPOLOGY_UNKNOWN_SERVICE: {
    summary: 'The flow names a service that the topology does not define.',
    remedy: 'Add the service to `services`, or correct the name.',
  },
  TB_TOPOLOGY_UNREACHABLE_SERVICE: {
    summary: 'A service is neither in the flow nor an alternative, so no request could reach it.',
    remedy: 'Add it to `flow`, give it `role: alternative`, or remove it.',
  },
  TB_TOPOLOGY_UNUSED_ALTERNATIVE: {
    summary: 'An alternative is never reached: no rule reroutes to it.',
    remedy: 'Add a rule with `effect: reroute` to it, or remove it.',
  },
  TB_TOPOLOGY_ALTERNATIVE_IN_FLOW: {
    summary: 'An alternative is in the flow; alternatives are reached by reroute only.',
    remedy: 'Take it out of `flow`, or remove its `role: alternative`.',
  },
  TB_TOPOLOGY_DUPLICATE_STEP: {
    summary: 'A service is in the flow twice.',
    remedy: 'Name every service once; define a second service for a second visit.',
  },
  TB_TOPOLOGY_EMPTY_FLOW: {
    summary: 'No service is in the flow.',
    remedy: 'Define at least one service that is not an alternative.',
  },
  TB_TOPOLOGY_DUPLICATE_NAME: {
    summary:
      'Two services, nodes or request classes have the same name (letter case aside: names become host names and file names).',
    remedy: 'Rename one of them; for generated services choose another `prefix`.',
  },
  TB_TOPOLOGY_RESERVED_NAME: {
    summary: 'A service has the name of a role that topo-bench itself starts.',
    remedy: `Rename the service: \`gateway\`, ${roleNames.join(', ')} are taken.`,
  },
  TB_TOPOLOGY_NO_NODE: {
    summary: 'A service cannot be placed: every node has `services: false`.',
    remedy: 'Allow services on at least one node.',
  },
  TB_TOPOLOGY_CLOSED_NODE: {
    summary: 'A service is placed on a node that takes no services.',
    remedy: 'Place it elsewhere, or remove `services: false` from the node.',
  },
  TB_TOPOLOGY_TOO_MANY_SERVICES: {
    summary: 'A topology has more than 1000 services.',
    remedy: 'Generate fewer.',
  },
  TB_TOPOLOGY_USER_SERVICE: {
    summary: 'Fields of a user-supplied service contradict each other, or one belongs to another kind of service.',
    remedy: 'Give one of `command`, `url` or `image`, with the fields that docs/methodology.md lists for it.',
  },
  TB_TOPOLOGY_ROUTERS_ABOVE_SERVICES: {
    summary: 'There are more routers than services; the surplus has no effect.',
    remedy: 'Lower `enforcement.routers`, or read the results as those of fewer routers.',
  },
  TB_TOPOLOGY_IDLE_GATEWAY: {
    summary: 'A region has a gateway, and no request class has an origin there.',
    remedy: 'Add the region to the `origin` of a class under `requests.classes`, or choose `gateways: one`.',
  },
  TB_EXPERIMENT_ONE_GATEWAY: {
    summary: 'The load driver cannot send each request to the gateway of its origin.',
    remedy: 'Choose `driver: open`, or `gateways: one` in the topology.',
  },
  TB_TOPOLOGY_NO_REPLICAS: {
    summary: 'The architecture has no enforcement points that can have replicas.',
    remedy: 'Choose a central entity or routers, or leave out `enforcement.replicas`.',
  },
  TB_TOPOLOGY_NO_TAKEOVER: {
    summary: 'Enforcement points are to be taken over, and there is no other point or replica that could.',
    remedy: 'Choose two routers or more, or a central entity with `enforcement.replicas`, or leave out `takeover`.',
  },
  TB_TOPOLOGY_INVALID_LINK: {
    summary: 'A link joins a node with itself, repeats another link, or has more jitter than delay.',
    remedy: 'Correct the link that the message names.',
  },
  TB_RULES_DUPLICATE_ID: {
    summary: 'Two rules of a file have the same id.',
    remedy: 'Rename one of them.',
  },
  TB_RULES_UNKNOWN_SERVICE: {
    summary: 'A rule reroutes to a service that the topology does not define.',
    remedy: 'Add the service to the topology, or correct the name.',
  },
  TB_RULES_NOT_ALTERNATIVE: {
    summary: 'A rule reroutes to a service that is in the flow.',
    remedy: 'Reroute to a service with `role: alternative`.',
  },
  TB_RULES_UNKNOWN_RULE: {
    summary: 'An example expects a rule that the file does not define.',
    remedy: 'Correct the id; for a rule with `forEach: services` it is `id@service`.',
  },
  TB_OVERRIDE_UNKNOWN_FIELD: {
    summary: 'An override or a factor names a field that does not exist.',
    remedy: 'Correct the path; docs/schema-reference.md lists all fields.',
  },
  TB_OVERRIDE_INVALID: {
    summary: 'An override or a factor level cannot be applied to this topology.',
    remedy: 'Choose a level that the message allows.',
  },
  TB_NODE_TOO_OLD: {
    summary: 'The Node.js that runs topo-bench is older than 20.19.',
    remedy: 'Install a current LTS version from https://nodejs.org or with a version manager.',
  },
  TB_NOT_BUILT: {
    summary: 'A source checkout has no built command line tool yet.',
    remedy: 'Run `npm run setup` in the checkout.',
  },
  TB_FILE_NOT_FOUND: {
    summary: 'There is no file at this path, and nothing that topo-bench ships has this name.',
    remedy: 'Check the path; shipped names are listed by the help of the command.',
  },
  TB_FILE_EXISTS: {
    summary: 'A file that a command would write is already there.',
    remedy: 'Choose another folder, or overwrite it with `--force`.',
  },
  TB_FILE_NOT_WRITABLE: {
    summary: 'A file cannot be written: no permission, no space, or a read-only file system.',
    remedy: 'Choose a place that you may write to.',
  },
  TB_GENERATE_SECRET: {
    summary: 'The secret of a generated project is too short to be safe.',
    remedy:
      'Give TOPO_BENCH_SECRET or `secrets/secret` 32 characters or more, or remove it: `generate` then makes one.',
  },
  TB_GENERATE_UNSUPPORTED: {
    summary: 'A topology has a part that the target of `generate` cannot deploy.',
    remedy: 'Choose another target, or change the part that the message names.',
  },
  TB_EXPERIMENT_UNKNOWN_LEVEL: {
    summary: 'A factor or one of its levels does not exist in the experiment.',
    remedy: 'Use a factor and a level that the message lists.',
  },
  TB_EXPERIMENT_DUPLICATE_LEVEL: {
    summary: 'A factor names the same level twice.',
    remedy: 'Remove one of them; raise `repetitions` to measure a level several times.',
  },
  TB_EXPERIMENT_DUPLICATE_FACTOR: {
    summary: 'Two factors set the same field, under two names.',
    remedy: 'Keep one of them, with the levels of both.',
  },
  TB_EXPERIMENT_LEVEL_NAMES: {
    summary: 'A factor, or a level with a name, replaces a column of the results, or sets what all levels share.',
    remedy: 'Choose another name, set single fields, or make the field a factor of its own.',
  },
  TB_EXPERIMENT_SHORT_DEADLINE: {
    summary: 'Warning: the gateway gives up requests before the drain ends, so slow requests are cut off.',
    remedy: 'Give the topology `deadlines.request` of at least the drain, or shorten the drain.',
  },
  TB_RUN_SECRET_MISSING: {
    summary: 'A resumed run needs secrets that a run folder does not contain, and its files are gone or have changed.',
    remedy:
      'Resume in the folder in which the run was started, with its files unchanged, or start a new run. Connection strings can be given again with flags such as `--postgres-url`.',
  },
  TB_RULES_MISSING_PASSES: {
    summary:
      'Warning: a rule that denies, reroutes or redacts does not match requests without the member that it compares.',
    remedy: 'Use the operator of the hint, or give a missing member a rule of its own.',
  },
  TB_RULES_NEVER_MATCHES: {
    summary: 'Warning: no request can make the condition of a rule true, so the rule never applies.',
    remedy: 'Use `contains` for lists (`$.categories`), `equal` or `in` for texts (`$.origin`), and check the path.',
  },
  TB_RULES_UNKNOWN_VALUE: {
    summary: 'Warning: nothing in the topology has a value that a rule compares with, and a similar one exists.',
    remedy: 'Correct the value in the rule, or the tag, category, region or name in the topology.',
  },
  TB_RULES_NO_EXAMPLES: {
    summary: 'Warning: a rule file has no examples, so nothing checks that it decides what was meant.',
    remedy: 'Add `examples` with the expected decisions, and run `topo-bench rules test`.',
  },
  TB_EXPERIMENT_EQUAL_LEVELS: {
    summary: 'Warning: two levels of a factor are the same under other names, such as 1s and 1000ms.',
    remedy: 'Remove one of them: a comparison of both shows noise.',
  },
  TB_EXPERIMENT_UNUSED_FIELD: {
    summary:
      'A field has no effect: one of `load` with the driver of the experiment, or one of `enforcement.resilience` in its kind of study.',
    remedy:
      'Remove it, or choose the driver that has it: `rate` and `arrivals` with `open`, `connections` with `autocannon`. Retries, breakers and takeover are for requests through a gateway.',
  },
  TB_EXPERIMENT_TOO_LARGE: {
    summary: 'The product of all factor levels exceeds the cells, or with repetitions the measurements, of one run.',
    remedy: 'Leave out levels, lower `repetitions`, or split the experiment in several files.',
  },
  TB_EXPERIMENT_NO_VALID_REPETITION: {
    summary: 'A cell of the run has no valid repetition, so it has no result.',
    remedy: 'Read the reasons next to the cell; lower the rate, lengthen the load, or free the machine, and run again.',
  },
  TB_UP_ALREADY_RUNNING: {
    summary: '`up` was started for a topology that is already running.',
    remedy: 'Stop it first with `topo-bench down TOPOLOGY`.',
  },
  TB_UP_NOT_RUNNING: {
    summary: 'The topology of `down` is not running, or did not stop.',
    remedy: 'Start it with `topo-bench up TOPOLOGY`, or end the process that the message names.',
  },
  TB_SIMULATE_CLUSTER: {
    summary: 'A cluster file contradicts itself or the topology.',
    remedy: 'Correct the host or node that the message names: every node of the topology needs one host.',
  },
  TB_SIMULATE_UNSUPPORTED: {
    summary: 'An experiment has a part that cannot be simulated.',
    remedy: 'Measure it with `topo-bench run`, or change the part that the message names.',
  },
  TB_CALIBRATION_NONE: {
    summary: 'No calibration of this machine and its version of Node.js was found.',
    remedy: 'Measure one with `topo-bench calibrate`, or name a file with `--calibration`.',
  },
  TB_CALIBRATION_MACHINE: {
    summary: 'A calibration belongs to another CPU model or another major version of Node.js.',
    remedy: 'Run `topo-bench calibrate` here, or simulate that machine with `--foreign-calibration`.',
  },
  TB_CALIBRATION_LACKS: {
    summary: 'The runs for a calibration do not tell enough of the machine.',
    remedy: 'Measure what the message lists, or let `topo-bench calibrate` measure its own cells.',
  },
  TB_CALIBRATION_DISTURBED: {
    summary:
      'Other programs used more than 10% of the processors during a calibration, or a run to judge predictions by.',
    remedy: 'Free the machine and repeat it, or keep it, marked, with `--keep-disturbed`.',
  },
  TB_PREDICTIONS_UNFIT: {
    summary: 'Registered predictions cannot be judged by this run, or were changed.',
    remedy: 'Register predictions first, then run the same experiment with the same choices.',
  },
  TB_INTERRUPTED: {
    summary: 'The user interrupted the command.',
    remedy: 'Finished repetitions are kept; continue with `topo-bench run --resume DIR`.',
  },
  TB_RUN_FOLDER_EXISTS: {
    summary: 'The folder for a new run is not empty.',
    remedy: 'Choose another folder with `--out`, or continue the run in it with `--resume DIR`.',
  },
  TB_RUN_FOLDER_NOT_FOUND: {
    summary: 'There is no run folder at this path.',
    remedy: 'Give the path of a folder that contains `run.json`.',
  },
  TB_RUN_FOLDER_NOT_A_FOLDER: {
    summary: 'The path of a run folder leads to, or through, a file that is not a folder.',
    remedy: 'Give the path of a folder, or remove the file that is in its place.',
  },
  TB_RUN_FOLDER_DAMAGED: {
    summary: 'A file of a run folder is incomplete or does not match its schema version.',
    remedy: 'Restore the file from a copy, or measure again; the other files of the folder are untouched.',
  },
  TB_RUN_FOLDER_VERSION: {
    summary: 'The run folder was written with another version of the result schema.',
    remedy: 'Read it with the topo-bench version that wrote it; `run.json` names that version.',
  },
  TB_RUN_FOLDER_LOCKED: {
    summary: 'Another process is writing to this run folder.',
    remedy: 'Wait until that process ends, or write to another folder.',
  },
  TB_RUN_FOLDER_DIFFERENT_EXPERIMENT: {
    summary: 'A run cannot continue because its experiment, topology, recorded tracks or machine has changed.',
    remedy: 'Undo the change, or start a new run; results of different set-ups must not mix.',
  },
  TB_RUN_FOLDER_OTHER_SERVER: {
    summary: 'A run cannot continue because its stores would be on another database server than before.',
    remedy: 'Name the server from the message again, or accept the mixture with `--allow-other-servers`.',
  },
  TB_RUN_FOLDER_DISK_FULL: {
    summary: 'The disk of the run folder is full; finished repetitions are kept.',
    remedy: 'Free some space and continue with `topo-bench run --resume DIR`.',
  },
  TB_RUN_FOLDER_NOT_WRITABLE: {
    summary: 'The run folder cannot be written: no permission, or a read-only file system.',
    remedy: 'Choose a folder that you may write to with `--out`, or change its permissions.',
  },
  TB_RUN_FOLDER_IO: {
    summary: 'The operating system refused to read or write a file of the run folder.',
    remedy: 'Remove the cause that the message names; finished repetitions are kept.',
  },
  TB_PUBLISHED_INVALID: {
    summary:
      'A file with published figures is missing, lacks a column that the kind of study needs, or has text in place of a number.',
    remedy: 'Name a file with the columns of the CSV file in `experiments/published` for the same kind of study.',
  },
  TB_METRIC_UNKNOWN: {
    summary: 'A comparison or a threshold names a metric that no cell has.',
    remedy:
      'Name a figure of `cells.json` without its unit, e.g. `rtt.median`, `responseTime.p99` or `cpuUsPerRequest.total`.',
  },
  TB_COMPARE_NO_COMMON_CELLS: {
    summary: 'Two runs, or two levels of a factor, have no cell in common.',
    remedy: 'Compare runs of the same experiment; cells match when all their factors are equal.',
  },
  TB_COMPARE_NO_VALID_REPETITION: {
    summary: 'No matched cell has a valid repetition with the metric on both sides, so there is nothing to compare.',
    remedy: 'Read the reasons in `cells.json` or in the report; lower the rate or free the machine, and run again.',
  },
  TB_GATE_THRESHOLD: {
    summary: 'A threshold of the gate cannot be read, or does not fit its metric.',
    remedy: 'Write metric, operator and value, e.g. `rtt.median < +5%`, `rtt.p95 < 20ms` or `errors.rate < 0.1%`.',
  },
  TB_GATE_REF: {
    summary: 'A ref of `gate --experiment` names nothing measurable, or the two sides cannot run side by side.',
    remedy:
      'Give a directory, a topology file or a command; the same requests and cells, and a port of its own, on each side.',
  },
  TB_GATE_NO_BASELINE: {
    summary: 'A relative threshold has no baseline.',
    remedy:
      'Name a run folder or a saved baseline with `--baseline`; `gate --candidate RUN --save-baseline NAME` saves one.',
  },
  TB_GATE_CANDIDATE: {
    summary: 'A service of the candidate did not start, was not ready in time, or ended: the gate fails.',
    remedy: 'Repair the candidate; the last lines of the service are in the message, its log next to the run folders.',
  },
  TB_GATE_SOURCES: {
    summary: 'One side of the gate is measured and the other simulated.',
    remedy: 'Gate measured runs against measured ones, and simulated runs against simulated ones.',
  },
  TB_GATE_SELF_TEST: {
    summary: 'Too few pairs of equal sides are valid to say what a gate could tell here.',
    remedy: 'Measure for longer (`--max-time`), lower the rate, or free the machine; reasons are in `cells.json`.',
  },
  TB_DECIDE_NOTHING_SHOWN: {
    summary: 'The runs do not show which option is best, so that none can be chosen from them.',
    remedy: 'Measure more repetitions, or choose an option yourself: `topo-bench decide RUN --adr FILE --option NAME`.',
  },
  TB_CONFIRM_METRICS: {
    summary: 'The file of `--metrics` cannot be read, or has no single value for a premise.',
    remedy: 'Write numbers by name of premise, e.g. `rate: 120`, or the Prometheus sample that `metric` names.',
  },
  TB_RULES_CONDITION: {
    summary: 'A condition of a rule needs exactly one of all, any, not, condition and fact.',
    remedy: 'Write each condition as one comparison, one list of conditions, or one reference.',
  },
  TB_RULES_UNKNOWN_FACT: {
    summary: 'A condition names a fact that does not exist.',
    remedy: 'Use request, target or flow, and reach their members with a path.',
  },
  TB_RULES_UNKNOWN_OPERATOR: {
    summary: 'A condition uses an operator or decorator that does not exist.',
    remedy: 'Use one of the operators of json-rules-engine that the message lists.',
  },
  TB_RULES_PATH: {
    summary: 'A path in a condition has steps other than members and indexes.',
    remedy: "Write paths as `$.payload.email`, `$.categories[0]` or `$['a b']`; filters and scripts are never run.",
  },
  TB_RULES_VALUE: {
    summary:
      'The value of a comparison is missing, its operator does not accept it, or a number is not finite or not exact.',
    remedy:
      'Give the value that the operator expects: a list for in, notIn, someValue and everyValue; whole numbers up to ±(2^53 − 1).',
  },
  TB_RULES_UNKNOWN_CONDITION: {
    summary: 'A rule refers to a named condition that does not exist.',
    remedy: 'Define it under `conditions`, or correct its name.',
  },
  TB_RULES_CYCLE: {
    summary: 'A named condition refers to itself, directly or through others.',
    remedy: 'Break the circle of references.',
  },
  TB_RULES_TOO_LARGE: {
    summary: 'References to named conditions stand for too many comparisons, or are nested too deep.',
    remedy: 'Refer to fewer named conditions, or make the named condition smaller.',
  },
  TB_RULES_EFFECT: {
    summary: 'A rule lacks a field that its effect needs, or has a field of another effect.',
    remedy: 'Give `redact` rules the fields to remove or pseudonymise, and `reroute` rules the alternative in `to`.',
  },
  TB_RULES_UNKNOWN_TARGET: {
    summary: 'A rule engine has no rules for the service of a decision.',
    remedy: 'Send the step to the enforcement point that is responsible for the service.',
  },
  TB_ROLE_DIED: {
    summary: 'A process of the deployment ended unexpectedly.',
    remedy: 'Read its last lines in the message; its whole log is in the run folder.',
  },
  TB_ROLE_NOT_READY: {
    summary: 'A process of the deployment was not ready in time, or did not start correctly.',
    remedy: 'Deploy fewer services, or stop other programs; the log of the role shows its progress.',
  },
  TB_ROLE_NO_ANSWER: {
    summary: 'A process of the deployment did not answer on its control routes.',
    remedy: 'Check that it still runs, and read its log; a saturated machine needs a lower rate.',
  },
  TB_ROLE_PORT_TAKEN: {
    summary: 'The port of a role is taken.',
    remedy: 'Leave the port to the system, or stop the process that listens there.',
  },
  TB_USER_SERVICE: {
    summary: 'A service of your own did not start, was not ready in time, or ended.',
    remedy: 'Read its last lines in the message; it must listen on the port that it is handed and answer its `health`.',
  },
  TB_RUNNER_NO_RESOURCES: {
    summary: 'The system refused another process, open file or allocation of memory.',
    remedy: 'Raise the limits (`ulimit -n`, `ulimit -u`), free memory, or deploy fewer services.',
  },
  TB_RUNNER_NEEDS_CONTAINERS: {
    summary: 'A service is a container image, and the runner only starts processes.',
    remedy:
      'Run the experiment with a container runner, start the container yourself and give its `url`, or give a `command`.',
  },
  TB_RUNNER_CANNOT_REACH: {
    summary:
      'The `url` of a service is an address of this machine that its roles, in containers or pods, do not reach.',
    remedy: 'Let the service listen at the address that the message names, or give another `url`.',
  },
  TB_RUNNER_CANNOT_START: {
    summary: 'The Node.js binary for the roles cannot be started.',
    remedy: 'Correct or unset TOPO_BENCH_NODE.',
  },
  TB_ENGINE_ADDRESS: {
    summary:
      'The address of a container engine cannot be used: `DOCKER_HOST`, `DOCKER_CONTEXT` or `--context` is wrong.',
    remedy: 'Correct the address or the name that the message quotes; `docker context ls` lists the contexts.',
  },
  TB_ENGINE_NOT_FOUND: {
    summary: 'No container engine answers, neither Docker nor Podman.',
    remedy: 'Start the engine, or set `DOCKER_HOST` to its address.',
  },
  TB_ENGINE_NO_PERMISSION: {
    summary: 'The user may not use the socket of the container engine.',
    remedy: 'Join the group of the socket, or use a rootless engine.',
  },
  TB_ENGINE_UNSUITABLE: {
    summary: 'The container engine is older than Docker 20.10 or Podman 4, or does not run Linux containers.',
    remedy: 'Install a newer engine, or switch it to Linux containers.',
  },
  TB_ENGINE_FAILED: {
    summary: 'The container engine refused a request or went away.',
    remedy: 'Remove the cause that the message names, and run again.',
  },
  TB_NOT_REMOVED: {
    summary:
      'Containers or pods of a deployment could not be removed. The run ends: later deployments would share the machine with them.',
    remedy:
      'Start the engine or cluster again, run `topo-bench down --all`, and continue with `topo-bench run --resume`.',
  },
  TB_ENGINE_NO_IMAGE: {
    summary: 'An image is not on the container engine, and cannot be pulled or built.',
    remedy: 'Name an image that the engine has with `--image`, or a Node.js image to build on with `--base-image`.',
  },
  TB_MANIFEST_TOO_LARGE: {
    summary: 'A document of a deployment does not fit into one object of a cluster, 1 MiB.',
    remedy: 'Use fewer services or fewer rules.',
  },
  TB_CLUSTER_NOT_FOUND: {
    summary: 'No cluster is configured: there is no kubeconfig, or it lacks the context.',
    remedy: 'Set KUBECONFIG, or name a context of it with `--context`.',
  },
  TB_CLUSTER_NO_ANSWER: {
    summary: 'The API server of the cluster does not answer.',
    remedy: 'Start the cluster, or choose the context of another one with `--context`.',
  },
  TB_CLUSTER_RIGHTS: {
    summary: 'The user of the kubeconfig lacks a right that the runner needs.',
    remedy: 'Ask the administrator of the cluster for the named verb and resource.',
  },
  TB_CLUSTER_CREDENTIALS: {
    summary: 'The credentials that the kubeconfig refers to cannot be had: its plug-in failed, or a file is missing.',
    remedy: 'Run `kubectl version`, which needs the same credentials, and log in or install the plug-in.',
  },
  TB_CLUSTER_NO_IMAGE: {
    summary: 'The image of the roles cannot be loaded into the cluster.',
    remedy:
      'Load it as docs/kubernetes.md shows (kind, k3d, minikube or ctr), or name one that the cluster can pull with `--image`.',
  },
  TB_CLUSTER_REFUSED: {
    summary: 'The API server refused an object, for example because of a quota.',
    remedy: 'Follow the message of the server; a quota needs a deployment with fewer services.',
  },
  TB_EXPERIMENT_KEEP_REQUESTS: {
    summary: 'The experiment asks to keep requests that it does not send.',
    remedy:
      'Leave `keepRequests` or `--keep-requests` out: only requests of the gateway are kept, not those of stores, transfers or gates.',
  },
  TB_EXPERIMENT_INTERLEAVED: {
    summary: 'An experiment with `deploy: interleaved` has levels that cannot take turns under load.',
    remedy: 'Use the driver `open`, services without stores and no fixed ports; or choose `deploy: fresh` or `round`.',
  },
  TB_EVENT_UNKNOWN_TARGET: {
    summary: 'An event of an experiment names a role, kind, node or region that a cell does not have.',
    remedy: 'Use a name that the message suggests; `point of SERVICE` exists under every architecture.',
  },
  TB_EVENT_TIME: {
    summary:
      'The times of an event do not fit: it does not end before the load does, overlaps another event of the same role, restarts a role sooner than a start takes, or changes rules while another change may be in progress.',
    remedy: 'Correct the times, or choose a longer `duration`.',
  },
  TB_EVENT_UNSUPPORTED: {
    summary: 'The experiment has events, and its runner, driver, kind of study or services cannot have them.',
    remedy: 'Follow the hint, or leave the event out.',
  },
  TB_EXPERIMENT_TOO_MANY_PROCESSES: {
    summary:
      'The levels of an experiment with `deploy: interleaved` need more concurrent processes than this machine can run.',
    remedy: 'Narrow the levels with `--only`, lower `services`, or choose `deploy: round`.',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorText>>;
