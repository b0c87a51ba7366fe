package dev.stowage.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The layers of ARCHITECTURE.md, enforced. */
@AnalyzeClasses(packages = "dev.stowage", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule dependenciesPointDownOnly = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.stowage..")
            .layer("cli")
            .definedBy("dev.stowage.cli..")
            .layer("sidecar")
            .definedBy("dev.stowage.sidecar..")
            .layer("array")
            .definedBy("dev.stowage.array..")
            .layer("manager")
            .definedBy("dev.stowage.manager..")
            .layer("driver")
            .definedBy("dev.stowage.driver..")
            .layer("kube")
            .definedBy("dev.stowage.kube..")
            .layer("array-api")
            .definedBy("dev.stowage.arrayapi..")
            .layer("backends")
            .definedBy("dev.stowage.backend..")
            .layer("node")
            .definedBy("dev.stowage.node..")
            .layer("iscsi")
            .definedBy("dev.stowage.iscsi..")
            .layer("linux")
            .definedBy("dev.stowage.linux..")
            .layer("core")
            .definedBy("dev.stowage.core..")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("sidecar")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("array")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("manager")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("driver")
            .mayOnlyBeAccessedByLayers("cli", "sidecar")
            .whereLayer("kube")
            .mayOnlyBeAccessedByLayers("sidecar", "backends", "manager", "cli")
            .whereLayer("array-api")
            .mayOnlyBeAccessedByLayers("backends")
            .whereLayer("backends")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("node")
            .mayOnlyBeAccessedByLayers("backends")
            .whereLayer("iscsi")
            .mayOnlyBeAccessedByLayers("backends", "cli")
            .whereLayer("linux")
            .mayOnlyBeAccessedByLayers("node", "iscsi", "backends", "array", "cli");

    @ArchTest
    static final ArchRule theCoreDoesNoInputOrOutput = noClasses()
            .that()
            .resideInAPackage("dev.stowage.core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..", "io.grpc..", "csi..");

    @ArchTest
    static final ArchRule onlyTheDriverAndItsClientsKnowTheWire = noClasses()
            .that()
            .resideInAnyPackage("dev.stowage.backend..", "dev.stowage.node..", "dev.stowage.linux..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "csi..");

    @ArchTest
    static final ArchRule onlyThoseWhoTalkToKubernetesNeedItsClient = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.stowage.kube..",
                    "dev.stowage.manager..",
                    "dev.stowage.sidecar.attacher..",
                    "dev.stowage.backend.local.cluster..",
                    "dev.stowage.backend.vsc..",
                    "dev.stowage.arrayapi..",
                    "dev.stowage.cli.bench.arrays..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8..", "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule onlyOneModuleStartsProcesses = noClasses()
            .that()
            .resideOutsideOfPackages("dev.stowage.linux..", "dev.stowage.cli..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.ProcessBuilder");

    @ArchTest
    static final ArchRule packagesOfAModuleDoNotGoInCircles = slices().matching(
                    "dev.stowage.(core|linux|driver|sidecar|array|iscsi|manager).(*)..")
            .should()
            .beFreeOfCycles();
}
