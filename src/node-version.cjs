// An old Node can read no other file of the service: this one is in plain JavaScript, and loaded before them.
const wanted = require("../package.json").engines.node.replace(/[^0-9.]/g, "");
const numbers = (version) => version.split(".").map(Number);
const [[major, minor], [leastMajor, leastMinor]] = [process.versions.node, wanted].map(numbers);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(
    `Node ${process.versions.node} is too old: the service needs ${wanted} or newer (npm ci without --omit=optional brings one)\n`,
  );
  process.exit(1);
}
