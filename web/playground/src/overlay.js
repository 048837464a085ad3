// The contacts of a character, drawn: a disk and a normal for each, and its velocity.
import * as THREE from 'three';

const MOST = 8;

export class Overlay {
  constructor(stage) {
    this.isShown = false;
    this.group = new THREE.Group();
    this.group.visible = false;
    stage.scene.add(this.group);
    const disk = new THREE.RingGeometry(0.02, 0.35, 32);
    const paint = { color: 0xffb347, side: THREE.DoubleSide, transparent: true, opacity: 0.65, depthTest: false };
    this.disks = Array.from({ length: MOST }, () => new THREE.Mesh(disk, new THREE.MeshBasicMaterial(paint)));
    const up = new THREE.Vector3(0, 1, 0);
    this.arrows = this.disks.map(() => new THREE.ArrowHelper(up, undefined, 0.8, 0xffb347, 0.18, 0.1));
    this.motion = new THREE.ArrowHelper(up, undefined, 1, 0x4fd1c5, 0.25, 0.14);
    this.group.add(...this.disks, ...this.arrows, this.motion);
    for (const arrow of [...this.arrows, this.motion]) {
      arrow.line.material.depthTest = false;
      arrow.cone.material.depthTest = false;
    }
    this.normal = new THREE.Vector3();
    this.front = new THREE.Vector3(0, 0, 1);
  }

  show(isShown) {
    this.isShown = isShown;
    this.group.visible = isShown;
  }

  draw(character) {
    this.group.visible = this.isShown;
    if (!this.isShown) return;
    const contacts = character.report.contacts > 0 ? character.contacts() : [];
    this.disks.forEach((disk, i) => {
      const contact = contacts[i];
      disk.visible = contact !== undefined;
      this.arrows[i].visible = disk.visible;
      if (!contact) return;
      this.normal.copy(contact.normal);
      disk.position.copy(contact.point).addScaledVector(this.normal, 0.01);
      disk.quaternion.setFromUnitVectors(this.front, this.normal);
      this.arrows[i].position.copy(contact.point);
      this.arrows[i].setDirection(this.normal);
    });
    const { position, velocity } = character.report;
    this.normal.copy(velocity);
    const speed = this.normal.length();
    this.motion.visible = speed > 0.01;
    if (speed > 0.01) {
      this.motion.position.copy(position);
      this.motion.setDirection(this.normal.divideScalar(speed));
      this.motion.setLength(Math.min(3, 0.3 * speed), 0.2, 0.12);
    }
  }
}
