// All classes, in the order in which one needs them.
export { Shape } from './shape.js';
export { Mesh } from './mesh.js';
export { Body, World } from './world.js';
export { Character, Crowd } from './character.js';
export { Keyframes } from './keyframes.js';
export { Table } from './table.js';
export { why } from './why.js';
export { memoryBytes } from './raw.js';
