// Stands for packages that the page never calls: drawing Mermaid's diagrams would treble its size.
module.exports = { default: {}, version: '0' };
