/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few robots, requests
 * and scenes. */
#include "fuzz.h"

int main(int argc, char **argv) {
    static const struct fuzz_seed seeds[] = {
        FUZZ_SEED("0<robot name='r'><link name='a'><collision><origin xyz='1 2 3' rpy='.1 .2 .3'/><geometry><sphere "
                  "radius='.1'/>"
                  "</geometry></collision></link><link name='b'><collision><geometry><sphere "
                  "radius='.2'/></geometry></collision>"
                  "</link><joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/><limit "
                  "lower='-1' "
                  "upper='1'/></joint></robot>"),
        FUZZ_SEED(
            "1allowed_collision_matrix: {entry_names: [base, hand], entry_values: [[false, true], [true, "
            "false]]}\nworld:\n  "
            "collision_objects:\n    - id: x\n      primitives: [{type: box, dimensions: [1, 2, 3]}, {type: cylinder, "
            "dimensions: [1, 2]}]\n      primitive_poses:\n        - &p {position: [1, 2, 3], orientation: [0, 0, 0, "
            "1]}\n "
            "   "
            "    - *p\n"),
        FUZZ_SEED(
            "2start_state: {joint_state: {name: [axis1, axis2, axis3, axis4, axis5, axis6, axis7], position: [0, 0, 0, "
            "-1, "
            "0, 2, "
            "0]}}\ngoal_constraints: [joint_constraints: [{joint_name: axis1, position: 1}, {joint_name: axis2, "
            "position: "
            "1}, "
            "{joint_name: axis3, position: 1}, {joint_name: axis4, position: -1}, {joint_name: axis5, position: 1}, "
            "{joint_name: "
            "axis6, position: 1}, {joint_name: axis7, position: 1}]]\n")};
    return fuzz_run(
        &(struct fuzz_run){.style = {FUZZ_MARKS(" \n<>/='\"-+.e0123456789{}[],:&*!|\0\377"), .changes_least = 1,
                                     .changes_most = 3, .keep_first = 1, .cut = true, .digits = true},
                           .seeds = seeds,
                           .count = 3,
                           .rounds = 10000},
        argc, argv);
}
